package runner

import (
	"context"
	"errors"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
)

// graceAfterDeadline is how long the stages have to end an expired question
// before the sentinel does: they know what was found so far.
const graceAfterDeadline = 500 * time.Millisecond

// recheck is how often open questions are looked up among the answers.
const recheck = time.Minute

// sentinel ends open questions whose deadline has passed, whatever became of
// their messages: even when every worker was down past the deadline and the
// trace has aged out. Every process with a router runs one; the answer is
// written once.
//
// It also removes questions from the question stream that have their answer: the
// request that removes one is not confirmed, and may be lost with a connection.
// After a reconnection all open questions are looked up among the answers.
// Otherwise only old ones are, now and then, since another process may have lost
// its connection.
func (r *Runner) sentinel(ctx context.Context) error {
	logger := r.opts.Logger.With("part", "sentinel")
	conn := r.log.JetStream().Conn()
	reconnects, checked := conn.Stats().Reconnects, r.opts.Now()
	for {
		age := time.Duration(-1) // of the questions to be looked up: none
		if n := conn.Stats().Reconnects; n != reconnects {
			age, reconnects = 0, n
		} else if r.opts.Now().Sub(checked) >= recheck {
			age = recheck
		}
		open, err := r.sweep(ctx, age)
		switch {
		case err != nil && ctx.Err() == nil:
			logger.Warn("cannot look through the open questions; trying again", "error", err)
			if age == 0 {
				reconnects-- // once more
			}
		case age >= 0:
			checked = r.opts.Now()
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

// sweep goes once through the open questions and returns how many there are.
// Those at least as old as age are looked up among the answers; none if age is
// negative.
func (r *Runner) sweep(ctx context.Context, age time.Duration) (open int, err error) {
	why := r.unread()
	err = r.log.OpenQuestions(ctx, r.opts.Policy, func(id string, q *messages.Question) error {
		open++
		if q == nil { // undecodable: the router makes it a dead letter
			return nil
		}
		now := r.opts.Now()
		if now.Before(q.Meta().Deadline.Add(graceAfterDeadline)) {
			if age < 0 || now.Sub(q.Meta().Asked) < age {
				return nil
			}
			if _, err := r.log.Answer(ctx, id); err != nil {
				if errors.Is(err, log.ErrNotFound) {
					return nil
				}
				return err
			}
			open--
			return r.log.CloseQuestion(ctx, id)
		}
		reason := "the deadline passed before an answer was found"
		if unread := why(ctx, id); unread != "" {
			reason += ": " + unread
		}
		a := messages.NewAnswer(q.Meta(), messages.Expired, messages.Finding{}, reason, now)
		err := r.log.End(ctx, a)
		switch {
		case err == nil:
			r.opts.Metrics.question(a)
		case errors.Is(err, log.ErrStored): // answered before: it only has to be removed
			err = nil
		}
		open--
		return err
	})
	return open, err
}

// unread returns a function, for one sweep, that says why a question waited for an
// index. The text is empty if the question waited for something else.
func (r *Runner) unread() func(ctx context.Context, id string) string {
	if r.opts.Explain == nil {
		return func(context.Context, string) string { return "" }
	}
	search := stages.Searching(stages.Pipeline())
	var why func(need uint64) string
	return func(ctx context.Context, id string) string {
		need, waits, err := r.log.Unread(ctx, id, *search)
		if err != nil || !waits {
			return ""
		}
		if why == nil {
			why = r.opts.Explain(ctx)
		}
		return why(need)
	}
}
