package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages/work"
)

// waiting says that another question works on the same sub-query, and when its
// result is to be looked for again. It is no failure of the message's.
type waiting struct{ after time.Duration }

// Error says what is waited for.
func (w *waiting) Error() string {
	return fmt.Sprintf("another question works on the same sub-query; looking again in %v", w.after)
}

// shared returns what follows from a sub-query which another question has asked,
// or nothing, if the stage's logic is to work on it. While the other question
// works on it, shared fails with *waiting: but no longer than a delivery may take
// that begins when the sub-query was sent (see share), so that there is time to do
// the work after all.
//
// What follows is the generator's message with the answer in it: the generator
// decides from that what it would from an answer of its own.
func (s *worker) shared(ctx context.Context, j *job) ([]messages.Message, error) {
	in, ok := j.in.(*messages.Retrieve)
	if s.opts.Share == nil || !ok {
		return nil, nil
	}
	verdict, taken, err := s.opts.Share.Claim(ctx, in)
	if err != nil { // sharing saves work; nothing depends on it
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
			return nil, cause
		}
		s.about(j).Debug("cannot share the work on a sub-query", "error", err)
		s.opts.Metrics.subQuery(alone)
		return nil, nil
	}
	now := s.opts.Now()
	if until, _ := share(in, j.meta.Timestamp); verdict == work.Wait && !now.Before(until) {
		verdict = alone
	}
	s.opts.Metrics.subQuery(verdict)
	switch verdict {
	case work.Wait:
		return nil, &waiting{lookAgain(now.Sub(j.meta.Timestamp))}
	case work.Shared:
		j.span.taken = taken
		return []messages.Message{&messages.Generate{Head: in.Head, Query: in.Query, Answered: &taken.Pair}}, nil
	}
	return nil, nil
}

// alone is the verdict on a sub-query that is worked on although another question
// does: it cannot wait any longer, or not be told who does.
const alone work.Verdict = "alone"

// Delays before a result is looked for again.
const (
	leastWait = 20 * time.Millisecond
	mostWait  = 3 * time.Second
)

// lookAgain is how long a sub-query is left alone that has waited for so long: a
// fifth of that, so that waiting costs little, and little time is lost.
func lookAgain(waited time.Duration) time.Duration {
	return min(mostWait, max(leastWait, waited/5))
}

// wait hands a message back whose work another question does. The delivery does
// not count as an attempt.
func (s *worker) wait(ctx context.Context, j *job, w *waiting) {
	s.discount(ctx, j)
	s.history.change(j.msg.Subject(), func(m *attempts) { m.waited = int(j.meta.NumDelivered) })
	s.nak(j.delivery, w.after)
}

// onlyWaited reports whether the delivery before this one was handed back here
// without any work, so that nothing of the message can be stored.
func (s *worker) onlyWaited(j *job) bool {
	return s.history.get(j.msg.Subject()).waited == int(j.meta.NumDelivered)-1
}
