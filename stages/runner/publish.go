package runner

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// stamp puts onto the outputs of this delivery its usage and trace, and what it
// did without.
func stamp(j *job, outs []messages.Message, used messages.Usage, gaveUp []string) {
	span := tracing.Format(j.span.own)
	for _, out := range outs {
		if m, ok := out.(messages.Output); ok {
			m.Charge(used, span)
			m.Forgo(gaveUp)
		}
	}
}

// store stores the outputs, acks the input when all are stored, and then calls
// settle. An output that an earlier delivery stored counts as stored.
func (s *worker) store(ctx context.Context, j *job, outs []messages.Message, settle func()) {
	var left atomic.Int32
	var failed atomic.Pointer[error]
	_, question := j.in.(*messages.Question)
	var taken atomic.Pointer[messages.Message] // an output that was there before, of a question
	left.Store(int32(len(outs)))
	for _, out := range outs {
		s.log.PutAsync(out, func(err error) {
			if question && errors.Is(err, log.ErrStored) {
				taken.Store(&out)
			}
			if err = s.stored(j, out, err); err != nil {
				failed.Store(&err)
			}
			if left.Add(-1) > 0 {
				return
			}
			failure, before := failed.Load(), taken.Load()
			if failure == nil && before == nil && !(out.Kind() == messages.KindAnswer && j.in.Meta().Seq == 0) {
				s.ack(j, s.figures.done)
				settle()
				return
			}
			// This may wait for the log, which must not happen on the goroutine
			// that receives the log's confirmations.
			go func() {
				if failure == nil && before != nil {
					s.decide(ctx, j, s.taken(ctx, j, *before))
				} else if failure != nil {
					s.decide(ctx, j, *failure)
				} else { // a message from before questions told their sequence
					s.decide(ctx, j, s.log.CloseQuestion(ctx, j.key.ID, j.in.Meta().Question))
				}
				settle()
			}()
		})
	}
}

// stored handles the result of a put: a conflict is counted, and an answer that
// was stored closes its question.
func (s *worker) stored(j *job, out messages.Message, err error) error {
	if err != nil && !errors.Is(err, log.ErrStored) {
		return err
	}
	if err != nil {
		s.figures.conflicts.Inc()
	}
	a, ok := out.(*messages.Answer)
	if !ok {
		return nil
	}
	if err == nil {
		j.span.last = s.opts.question(&ended{answer: a, asked: j.in.Meta().Asked, client: j.client, live: j.span.own})
	}
	if seq := j.in.Meta().Seq; seq > 0 {
		return s.log.DropQuestionAsync(seq)
	}
	return nil
}

// put stores one message; an answer also ends its question.
func (s *worker) put(ctx context.Context, j *job, m messages.Message) error {
	if a, ok := m.(*messages.Answer); ok {
		return s.end(ctx, j, a)
	}
	err := s.log.Put(ctx, m)
	if errors.Is(err, log.ErrStored) {
		s.figures.conflicts.Inc()
		return nil
	}
	return err
}

// end stores a question's answer and counts the question, unless it had ended
// before.
func (s *worker) end(ctx context.Context, j *job, a *messages.Answer) error {
	e := &ended{answer: a, asked: j.meta.Timestamp, live: j.span.own}
	if j.in != nil { // else it is the question's own message
		e.asked = j.in.Meta().Asked
		e.client = s.opts.clientOf(ctx, s.log, j.in.Meta(), j.span.own, true)
	}
	err := s.log.End(ctx, a)
	switch {
	case err == nil:
		j.span.last = s.opts.question(e)
	case errors.Is(err, log.ErrStored):
		s.figures.conflicts.Inc()
		err = nil
	}
	return err
}

// decision returns the output that is a decision (messages.Decision), or nil if
// none is. A decision must be the only output.
func (s *worker) decision(outs []messages.Message) (messages.Decision, error) {
	for _, out := range outs {
		if d, ok := out.(messages.Decision); ok {
			if len(outs) > 1 {
				return nil, fault.Permanentf("stage %s wrote %d messages with its decision", s.stage.Name, len(outs)-1)
			}
			return d, nil
		}
	}
	return nil, nil
}

// decides reports whether messages of kind k are decisions.
func decides(k messages.Kind) bool {
	m, err := messages.New(k)
	_, ok := m.(messages.Decision)
	return err == nil && ok
}

// publishDecision stores the decision and then the messages that follow from the
// stored one, which may be an earlier delivery's.
func (s *worker) publishDecision(ctx context.Context, j *job, d messages.Decision) error {
	err := s.log.Put(ctx, d)
	if errors.Is(err, log.ErrStored) {
		s.figures.conflicts.Inc()
		stored, gerr := s.log.Get(ctx, d.Kind(), d.Key())
		if gerr != nil {
			return fmt.Errorf("read the %s that is stored: %w", d.Kind(), gerr)
		}
		return s.follow(ctx, j, stored)
	}
	if err != nil {
		return err
	}
	return s.fanOut(ctx, j, d)
}

// follow stores the messages that follow from a stored decision.
func (s *worker) follow(ctx context.Context, j *job, stored *log.Stored) error {
	m, err := stored.Decode(s.log.Names())
	if err != nil {
		return fault.AsPermanent(fmt.Errorf("the decision that is stored: %w", err))
	}
	return s.fanOut(ctx, j, m.(messages.Decision))
}

// fanOut stores the messages that follow from a decision, all at the same time.
func (s *worker) fanOut(ctx context.Context, j *job, d messages.Decision) error {
	subs := d.Follow()
	if len(subs) == 1 {
		return s.put(ctx, j, subs[0])
	}
	done := make(chan error, len(subs))
	for _, sub := range subs {
		s.log.PutAsync(sub, func(err error) { done <- err })
	}
	var failed error
	for range subs {
		if err := <-done; errors.Is(err, log.ErrStored) {
			s.figures.conflicts.Inc()
		} else if err != nil {
			failed = err
		}
	}
	return failed
}
