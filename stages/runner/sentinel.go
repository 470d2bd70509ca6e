package runner

import (
	"context"
	"errors"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// graceAfterDeadline is how long the stages have to end an expired question
// before the sentinel does: they know what was found so far.
const graceAfterDeadline = 500 * time.Millisecond

// recheck is how often open questions are looked up among the answers at most, and
// how old they then are.
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
//
// A question is read once, for its deadline, and not again before the first deadline
// of those that were read has passed: hundreds of thousands may wait.
func (r *Runner) sentinel(ctx context.Context) error {
	logger := r.opts.Logger.With("part", "sentinel")
	conn := r.log.JetStream().Conn()
	reconnects, check := conn.Stats().Reconnects, r.opts.Now().Add(recheck)
	var s sweep
	for {
		age := time.Duration(-1) // of the questions to be looked up: none
		if n := conn.Stats().Reconnects; n != reconnects {
			age, reconnects = 0, n
		} else if !r.opts.Now().Before(check) {
			age = recheck
		}
		if age >= 0 || s.due(r.opts.Now()) {
			s = sweep{}
		}
		read, err := r.sweep(ctx, &s, age)
		switch {
		case err != nil && ctx.Err() == nil:
			logger.Warn("cannot look through the open questions; trying again", "error", err)
			if age == 0 {
				reconnects-- // once more
			}
			s = sweep{}
		case age >= 0:
			check = r.opts.Now().Add(max(recheck, time.Duration(read)*time.Millisecond))
		}
		if open, err := r.log.Open(ctx); err == nil {
			r.opts.Metrics.open.Set(float64(open))
		}
		// The more a sweep has read the longer it rests: about a thousand a second at
		// most.
		wait := max(r.opts.Sweep, min(15*time.Second, time.Duration(read)*time.Millisecond))
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// sweep is how far the open questions were read.
type sweep struct {
	next  uint64    // sequence of the first that was not; 0: none was
	first time.Time // deadline of those that were; zero: there are none
}

// due reports whether one of the questions that were read may have to be ended.
func (s *sweep) due(now time.Time) bool {
	return !s.first.IsZero() && !now.Before(s.first.Add(graceAfterDeadline))
}

// sweep goes through the open questions from where s is, and returns how many it
// has read. Those at least as old as age are looked up among the answers; none if
// age is negative.
func (r *Runner) sweep(ctx context.Context, s *sweep, age time.Duration) (read int, err error) {
	why := r.unread()
	var old []log.Open
	s.next, err = r.log.OpenQuestions(ctx, r.opts.Policy, s.next, func(o log.Open) error {
		read++
		q := o.Question
		if o.Misplaced != nil {
			return r.refuseMisplaced(ctx, o)
		}
		r.lanes.found(o.Key.Lane)
		if q == nil { // undecodable: the router makes it a dead letter
			return nil
		}
		now, deadline := r.opts.Now(), q.Meta().Deadline
		if !now.Before(deadline.Add(graceAfterDeadline)) {
			return r.expire(ctx, q, why)
		}
		if s.first.IsZero() || deadline.Before(s.first) {
			s.first = deadline
		}
		if age < 0 || now.Sub(q.Meta().Asked) < age {
			return nil
		}
		if old = append(old, o); len(old) < lookUp {
			return nil
		}
		err := r.dropAnswered(ctx, old)
		old = old[:0]
		return err
	})
	if err == nil {
		err = r.dropAnswered(ctx, old)
	}
	return read, err
}

// lookUp is how many questions are looked up among the answers at once.
const lookUp = 256

// dropAnswered removes those questions that have their answer.
func (r *Runner) dropAnswered(ctx context.Context, open []log.Open) error {
	if len(open) == 0 {
		return nil
	}
	ids := make([]string, len(open))
	for i, o := range open {
		ids[i] = o.Key.ID
	}
	answers, err := r.log.Answers(ctx, ids)
	if err != nil {
		return err
	}
	for _, o := range open {
		a := answers[o.Key.ID]
		if a == nil || a.Question != o.Question.Question { // the router refuses the latter
			continue
		}
		if err := r.log.DropQuestion(ctx, o.Seq); err != nil {
			return err
		}
	}
	return nil
}

// expire ends a question whose deadline has passed.
func (r *Runner) expire(ctx context.Context, q *messages.Question, why func(context.Context, string) string) error {
	m := q.Meta()
	reason := "the deadline passed before an answer was found"
	if unread := why(ctx, m.ID); unread != "" {
		reason += ": " + unread
	}
	if err := collect(ctx, r.log, m); err != nil { // it ends all the same
		r.opts.Logger.Warn("cannot read what an expired question has found", "question", m.ID, "error", err)
	}
	a := messages.NewAnswer(m, messages.Expired, messages.Finding{}, reason, r.opts.Now())
	client := tracing.Parse(m.Trace)
	a.Trace = tracing.Format(r.opts.Tracer.Question(client, m.ID, m.Asked))
	err := r.log.End(ctx, a)
	switch {
	case err == nil:
		r.opts.question(&ended{answer: a, asked: m.Asked, client: client})
	case errors.Is(err, log.ErrStored): // answered before: it only has to be removed
		err = r.log.DropQuestion(ctx, m.Seq)
	}
	return err
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

// refuseMisplaced ends what was published under the question stream's subjects, but
// in no lane that there can be, and which therefore nobody reads.
func (r *Runner) refuseMisplaced(ctx context.Context, o log.Open) error {
	now := r.opts.Now()
	dead := &messages.Dead{Stage: stages.Reading(stages.Pipeline(), messages.KindQuestion).Name, ID: o.Key.ID, Seq: o.Seq,
		Subject: o.Subject, Error: reason(o.Misplaced), Deliveries: 1, At: now.UTC(), Data: o.Data}
	err := r.log.Put(ctx, dead)
	if err == nil {
		r.opts.Metrics.stage(dead.Stage).deadLetters.Inc()
	}
	if err == nil || errors.Is(err, log.ErrStored) {
		err = r.log.Put(ctx, messages.NewAnswer(&messages.Head{ID: o.Key.ID, Asked: o.Time}, messages.Failed, messages.Finding{}, reason(o.Misplaced), now))
	}
	if err != nil && !errors.Is(err, log.ErrStored) && messages.CheckID(o.Key.ID) == nil {
		return err
	}
	return r.log.DropQuestion(ctx, o.Seq)
}
