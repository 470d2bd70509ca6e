package runner_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/runner"
)

func TestCancelBeforeRunning(t *testing.T) {
	t.Parallel()
	r := idleRig(t, options())
	r.submit(t, messages.Question{ID: "q", Question: "compound one"})
	a, err := r.Client.Cancel(t.Context(), "q")
	if err != nil || a.Status != messages.Cancelled || a.Question != "compound one" {
		t.Fatalf("%+v, %v", a, err)
	}
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	w := r.run(t, fullEngine(), o)
	r.verify(t, "q")
	w.stop()
	if got := o.Metrics.Outcomes("decomposer"); got["done"] != 0 {
		t.Errorf("it was worked on: %v", got)
	}
}

// TestCancelWhileRunning cancels a question while a branch is at work and two
// workers run; the branch's context must end.
func TestCancelWhileRunning(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	begun, ended := make(chan struct{}, 8), make(chan error, 8)
	e.SearchFunc = func(ctx context.Context, q string, _ int) ([]messages.Passage, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, ctx.Err()
	}
	o := options()
	r := newRig(t, e, o)
	r.run(t, e, o)
	r.submit(t, messages.Question{ID: "q", Question: "compound one"})
	for range 3 {
		<-begun
	}
	a, err := r.Client.Cancel(t.Context(), "q")
	if err != nil || a.Status != messages.Cancelled {
		t.Fatalf("%+v, %v", a, err)
	}
	for range 3 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the work ended with %v", err)
		}
	}
	got := r.verify(t, "q")["q"]
	if got.Status != messages.Cancelled || len(r.letters(t)) != 0 {
		t.Errorf("%+v, %d dead letters", got, len(r.letters(t)))
	}
	if again, err := r.Client.Cancel(t.Context(), "q"); !errors.Is(err, log.ErrStored) || again.Status != messages.Cancelled {
		t.Errorf("cancelled again: %+v, %v", again, err)
	}
}

// TestAnnouncementWithoutAnswer holds that a cancelled mark from anybody, with
// no answer behind it, does not leave the question without one.
func TestAnnouncementWithoutAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	if err := r.Conn.Publish("hop.cancelled.q", nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Conn.Flush(); err != nil {
		t.Fatal(err)
	}
	r.ask(t, messages.Question{ID: "q", Question: "compound one", Deadline: after(500 * time.Millisecond)})
	r.verify(t, "q")
}
