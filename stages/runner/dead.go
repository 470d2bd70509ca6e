package runner

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/stages/journal"
)

// bury puts a message that cannot be processed, whole and with the reason,
// into the dead-letter stream, tells its question, and terminates it. Each
// step is write-once, so a crash between them repeats harmlessly.
func (s *station) bury(ctx context.Context, j *job, cause error) {
	s.log.Error("dead letter", "question", j.key.ID, "deliveries", j.meta.NumDelivered, "error", cause)
	dead := &messages.Dead{
		Stage: s.stage.Name, ID: j.key.ID, Seq: j.meta.Sequence.Stream,
		Subject: j.msg.Subject(), Error: cause.Error(), Deliveries: int(j.meta.NumDelivered),
		At: s.opts.Now().UTC(), Data: j.msg.Data(),
	}
	err := s.journal.Put(ctx, dead)
	switch {
	case errors.Is(err, journal.ErrStored):
		err = nil
	case err == nil:
		s.figures.deadLetters.Inc()
	}
	if err == nil && !errors.Is(cause, errAnswered) {
		err = s.put(ctx, ending(j, messages.Failed, cause.Error(), s.opts.Now()))
	} else if err == nil {
		// Another question has this ID; its answer stands, this one only dies.
		err = s.journal.CloseQuestion(ctx, j.key.ID)
	}
	if err != nil {
		s.log.Warn("cannot bury; trying again", "question", j.key.ID, "error", err)
		s.nak(j.delivery, retryDelay(err, int(j.meta.NumDelivered)))
		s.figures.retried.Inc()
		return
	}
	if err := j.msg.TermWithReason(cause.Error()); err != nil {
		s.log.Warn("cannot terminate a dead message; it will come again", "error", err)
	}
	s.figures.dead.Inc()
}
