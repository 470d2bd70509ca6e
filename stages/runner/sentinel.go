package runner

import (
	"context"
	"errors"
	"time"

	"hopstream/messages"
	"hopstream/stages/journal"
)

// graceAfterDeadline leaves the stages the first word on an expired question:
// they know what was found so far.
const graceAfterDeadline = 500 * time.Millisecond

// sentinel ends open questions whose deadline has passed, whatever became of
// their messages: even when every worker was down past the deadline and the
// trace has aged out. Every process with a router runs one; the answer is
// written once.
func (r *Runner) sentinel(ctx context.Context) error {
	log := r.opts.Log.With("part", "sentinel")
	for {
		open, err := r.sweep(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("cannot look through the open questions; trying again", "error", err)
		}
		r.opts.Metrics.open.Set(float64(open))
		// A sweep reads every open question, so the more there are the
		// seldomer it runs: about a thousand a second at most.
		wait := max(r.opts.Sweep, min(15*time.Second, time.Duration(open)*time.Millisecond))
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// sweep looks once through the open questions and returns how many there are.
func (r *Runner) sweep(ctx context.Context) (open int, err error) {
	err = r.journal.OpenQuestions(ctx, r.opts.Policy, func(id string, q *messages.Question) error {
		open++
		if q == nil { // undecodable: the router buries it
			return nil
		}
		now := r.opts.Now()
		if now.Before(q.Meta().Deadline.Add(graceAfterDeadline)) {
			return nil
		}
		a := messages.NewAnswer(q.Meta(), messages.Expired, messages.Finding{}, "the deadline passed before an answer was found", now)
		err := r.journal.End(ctx, a)
		switch {
		case err == nil:
			r.opts.Metrics.question(a)
		case errors.Is(err, journal.ErrStored): // answered: only the mark was left
			err = nil
		}
		open--
		return err
	})
	return open, err
}
