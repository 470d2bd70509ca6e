package runner

import (
	"context"
	"errors"
	"fmt"

	"hopstream/messages"
	"hopstream/stages/log"
)

// deadLetter puts a message that cannot be processed, whole and with the reason,
// into the dead-letter stream, tells its question, and terminates it. Each
// step is write-once, so a crash between them repeats harmlessly.
func (s *worker) deadLetter(ctx context.Context, j *job, cause error) {
	s.about(j).Error("dead letter", "deliveries", j.meta.NumDelivered, "error", cause)
	err := s.storeDeadLetter(ctx, j, cause)
	if err == nil {
		err = s.endDead(ctx, j, cause)
	}
	if err != nil {
		s.about(j).Warn("cannot store the dead letter; trying again", "error", err)
		s.nak(j.delivery, retryDelay(err, int(j.meta.NumDelivered)))
		s.figures.retried.Inc()
		return
	}
	if err := j.msg.TermWithReason(reason(cause)); err != nil {
		s.logger.Warn("cannot terminate a dead message; it will come again", "error", err)
	}
	s.gone(j)
	s.forget(j)
	s.figures.dead.Inc()
}

// storeDeadLetter stores the dead letter.
func (s *worker) storeDeadLetter(ctx context.Context, j *job, cause error) error {
	dead := &messages.Dead{
		Stage: s.stage.Name, ID: j.key.ID, Seq: j.meta.Sequence.Stream,
		Subject: j.msg.Subject(), Error: reason(cause), Deliveries: int(j.meta.NumDelivered),
		At: s.opts.Now().UTC(), Data: j.msg.Data(),
	}
	if dead.ID == "" {
		dead.ID = "unknown"
	}
	err := s.log.Put(ctx, dead)
	if errors.Is(err, log.ErrTooLarge) {
		dead.Data = nil
		dead.Error += fmt.Sprintf(" (the message, %d bytes, is too large for a letter; it is number %d in stream %s until it ages out)",
			len(j.msg.Data()), dead.Seq, j.meta.Stream)
		err = s.log.Put(ctx, dead)
	}
	switch {
	case errors.Is(err, log.ErrStored):
		return nil
	case err == nil:
		s.figures.deadLetters.Inc()
	}
	return err
}

// endDead ends the question, or the branch, of a message that is given up.
func (s *worker) endDead(ctx context.Context, j *job, cause error) error {
	switch {
	case errors.Is(cause, errAnswered):
		// The ID belongs to another question, whose answer stays. This one is
		// only removed.
		return s.log.DropQuestion(ctx, j.meta.Sequence.Stream)
	case errors.Is(cause, errNoPlace) && s.stage.Input != messages.KindQuestion:
		return nil // it takes no message's place, so no question waits for it
	case j.in == nil && s.stage.Input == messages.KindQuestion:
		return s.refuse(ctx, j, cause)
	case j.in == nil:
		if err := s.identify(ctx, j); err != nil || j.in == nil {
			return err
		}
	}
	return s.storeEnding(ctx, j, ending(j, messages.Failed, reason(cause), s.opts.Now()))
}

// refuse ends a question that could not be decoded, with the ID from its subject.
// If that is a wildcard, no answer can be stored under it.
func (s *worker) refuse(ctx context.Context, j *job, cause error) error {
	head := &messages.Head{ID: j.key.ID, Asked: j.meta.Timestamp}
	a := messages.NewAnswer(head, messages.Failed, messages.Finding{}, reason(cause), s.opts.Now())
	if messages.CheckID(j.key.ID) == nil {
		if err := s.storeEnding(ctx, j, a); err != nil {
			return err
		}
	} else if j.key.ID != "*" && j.key.ID != ">" {
		if err := s.log.Put(ctx, a); err != nil && !errors.Is(err, log.ErrStored) {
			return err
		}
	}
	return s.log.DropQuestion(ctx, j.meta.Sequence.Stream)
}

// identify finds out which message an undecodable one stands in for: a branch of
// a planned round, or some other step of an open question. It leaves j.in nil if
// no question waits for it.
func (s *worker) identify(ctx context.Context, j *job) error {
	if messages.CheckID(j.key.ID) != nil {
		return nil
	}
	if j.key.Branch > 0 && aboutSubQuery(s.stage.Input) {
		plan, err := log.Find[*messages.Plan](ctx, s.log, messages.KindPlan, messages.Key{ID: j.key.ID, Round: j.key.Round})
		if err == nil && j.key.Branch <= len(plan.Queries) {
			j.in = plan.Retrieves()[j.key.Branch-1].(messages.Carrier)
			return nil
		}
		if isBroker(err) {
			return err
		}
	}
	all, err := s.log.Questions(ctx, j.key.ID)
	if err != nil || len(all) == 0 { // never asked, or ended
		return err
	}
	stored := all[0] // of several the first counts
	if m, err := stored.Decode(s.log.Names()); err == nil {
		q := m.(*messages.Question)
		q.Accept(j.key.ID, log.Asked(stored.Header, stored.Time), s.opts.Policy, stored.Header.Get(log.TraceHeader))
		q.Meta().Seq = stored.Seq
		j.in = q
	}
	return nil
}

// aboutSubQuery reports whether messages of kind k concern a sub-query that
// has no sub-answer yet.
func aboutSubQuery(k messages.Kind) bool {
	m, err := messages.New(k)
	_, ok := m.(messages.SubQuery)
	return err == nil && ok
}
