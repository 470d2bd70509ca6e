package runner_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

func after(d time.Duration) messages.Deadline { return messages.Deadline{After: d} }

// TestExpiresInHandler lets the deadline pass while a stage works, which
// leaves when its context ends, or does not.
func TestExpiresInHandler(t *testing.T) {
	t.Parallel()
	for name, obeys := range map[string]bool{"obeys its context": true, "works on": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			release := make(chan struct{})
			e.RefineFunc = func(ctx context.Context, q string, pairs []messages.Pair) (string, error) {
				if len(pairs) == 0 {
					return "first", nil
				}
				if obeys {
					<-ctx.Done()
					return "", ctx.Err()
				}
				<-release
				return "second", nil
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: "complex one", Deadline: after(700 * time.Millisecond)})
			close(release)
			if a.Status != messages.Expired || !strings.Contains(a.Error, "deadline") {
				t.Errorf("%+v", a)
			}
			if obeys && len(a.Hops) != 1 {
				t.Errorf("what was found is lost: %+v", a)
			}
			r.verify(t, "q")
		})
	}
}

// TestExpiresInQueue lets the deadline pass while every slot is taken.
func TestExpiresInQueue(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	release := make(chan struct{})
	e.SearchFunc = func(_ context.Context, q string, _ int) ([]messages.Passage, error) {
		if q == "single slow" {
			<-release
		}
		return passages(1), nil
	}
	o := options()
	for i := range o.Table {
		o.Table[i].Concurrency = 1
	}
	r := newRig(t, e, o)
	r.submit(t, messages.Question{ID: "slow", Question: "single slow"})
	natstest.Eventually(t, "the slot is taken", func() bool {
		lag, err := r.Log.Lag(t.Context(), o.Table[2])
		return err == nil && lag.AckPending == 1
	})
	a := r.ask(t, messages.Question{ID: "q", Question: "compound one", Deadline: after(200 * time.Millisecond)})
	close(release)
	if a.Status != messages.Expired {
		t.Errorf("%+v", a)
	}
	if a := r.answer(t, "slow"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "slow", "q")
	if len(r.letters(t)) != 0 {
		t.Error("an expired message is no dead letter")
	}
}

// TestExpiresWithEveryWorkerDown starts the first worker after the deadline.
func TestExpiresWithEveryWorkerDown(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	var ids []string
	for i := range 20 {
		ids = append(ids, r.submit(t, messages.Question{Question: "compound one", Deadline: after(time.Duration(1+i) * time.Millisecond)}))
	}
	at := time.Now().Add(20 * time.Millisecond)
	natstest.Eventually(t, "the deadline passes", func() bool { return time.Now().After(at) })
	r.run(t, fullEngine(), o)
	r.run(t, fullEngine(), o)
	for id, a := range r.verifyAll(t, ids) {
		if a.Status != messages.Expired || a.Question != "compound one" {
			t.Errorf("%s: %+v", id, a)
		}
	}
}

// TestExpiresAfterTraceAgedOut takes a question half way, with no other stage
// running, until its inner messages are gone.
func TestExpiresAfterTraceAgedOut(t *testing.T) {
	t.Parallel()
	o := options()
	o.Streams = log.Config{Retention: 3 * time.Second}
	r := idleRig(t, o)
	r.submit(t, messages.Question{ID: "q", Question: "compound one"}) // its minute is cut to the retention's
	only, err := stages.Select("router,decomposer")
	if err != nil {
		t.Fatal(err)
	}
	part := o
	part.Table = only
	part.Sweep = time.Hour // its sentinel does not wake
	w := r.run(t, fullEngine(), part)
	natstest.Eventually(t, "sub-queries wait", func() bool { return len(r.subjects(t, messages.KindRetrieve)) == 3 })
	w.stop()
	natstest.Eventually(t, "the trace ages out", func() bool {
		return len(r.subjects(t, messages.KindRetrieve)) == 0 && len(r.subjects(t, messages.KindPlan)) == 0
	})
	o.Metrics = runner.NewMetrics(nil)
	r.run(t, fullEngine(), o)
	if a := r.answer(t, "q"); a.Status != messages.Expired {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
	natstest.Eventually(t, "it is counted", func() bool { return o.Metrics.Questions("none", messages.Expired) == 1 })
}

// TestRawDeadlines holds that a raw question's deadline counts from when it
// was stored, and that one in the past expires.
func TestRawDeadlines(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	r.publish(t, "hop.v1.question.past", `{"question":"single one","deadline":"2020-01-01T00:00:00Z"}`)
	r.publish(t, "hop.v1.question.far", `{"question":"single one","deadline":"2999-01-01T00:00:00Z"}`)
	if a := r.answer(t, "past"); a.Status != messages.Expired {
		t.Errorf("%+v", a)
	}
	if a := r.answer(t, "far"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "past", "far")
}
