package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/meter"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// failing is a full engine whose search fails as fail says; tries counts.
func failing(tries *atomic.Int64, fail func(try int64) error) *scripted.Engine {
	e := fullEngine()
	e.SearchFunc = func(context.Context, string, int) ([]messages.Passage, error) {
		return passages(3), fail(tries.Add(1))
	}
	return e
}

func away() error { return fault.AsUnavailable(errors.New("the model is loading"), time.Millisecond) }

// TestUnavailable holds that no number of deliveries ends a message whose
// service is away, and that its deadline does.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail     func(int64) error
		deadline time.Duration
		status   messages.Status
		tries    int64 // 0: any
		letter   string
	}{
		"comes back": {func(n int64) error {
			if n <= 30 {
				return away()
			}
			return nil
		}, 0, messages.Answered, 31, ""},
		"stays away":            {func(int64) error { return away() }, 1500 * time.Millisecond, messages.Expired, 0, ""},
		"away, delay left open": {func(int64) error { return fault.AsUnavailable(errors.New("away"), 0) }, 1500 * time.Millisecond, messages.Expired, 0, ""},
		"away for a day":        {func(int64) error { return fault.AsUnavailable(errors.New("away"), 24*time.Hour) }, time.Second, messages.Expired, 1, ""},
		"has its attempts afterwards": {func(n int64) error {
			switch {
			case n <= 14:
				return away()
			case n < 17:
				return errors.New("hiccup")
			}
			return nil
		}, 0, messages.Answered, 17, ""},
		"fails afterwards": {func(n int64) error {
			if n <= 14 {
				return away()
			}
			return fault.RetryAfter(errors.New("hiccup"), time.Millisecond)
		}, 0, messages.Failed, 17, "hiccup"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int64
			o := options()
			o.Metrics = runner.NewMetrics(nil)
			r := newRig(t, failing(&tries, c.fail), o)
			a := r.ask(t, messages.Question{ID: "q", Question: "single one", Deadline: after(c.deadline)})
			r.verify(t, "q")
			if a.Status != c.status || c.tries > 0 && tries.Load() != c.tries {
				t.Errorf("after %d tries: %+v", tries.Load(), a)
			}
			if c.letter != "" {
				if d := r.letter(t); !strings.Contains(d.Error, c.letter) {
					t.Errorf("%+v", d)
				}
			} else if n := len(r.letters(t)); n != 0 {
				t.Errorf("%d dead letters", n)
			}
		})
	}
}

// TestUnavailableAcrossWorkers holds that a worker which knows nothing of a
// message's deliveries does not take them for crashes.
func TestUnavailableAcrossWorkers(t *testing.T) {
	t.Parallel()
	var tries atomic.Int64
	e := failing(&tries, func(n int64) error {
		switch {
		case n <= 20, n == 22:
			return away()
		case n == 21, n == 23: // the first attempts of workers that know nothing
			return errors.New("hiccup")
		}
		return nil
	})
	o := options()
	r := idleRig(t, o)
	first := r.run(t, e, o)
	r.submit(t, messages.Question{ID: "q", Question: "single one"})
	natstest.Eventually(t, "many deliveries", func() bool { return tries.Load() >= 15 })
	first.stop()
	second := r.run(t, e, o)
	natstest.Eventually(t, "some more", func() bool { return tries.Load() >= 21 })
	second.stop()
	r.run(t, e, o)
	if a := r.answer(t, "q"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
	if n := len(r.letters(t)); n != 0 {
		t.Errorf("%d dead letters", n)
	}
}

// TestNotesOutOfSight has the server lose sight of the bucket of notes. Workers
// go on, and it comes back with the next note, to stay.
func TestNotesOutOfSight(t *testing.T) {
	t.Parallel()
	var back atomic.Bool
	e := failing(new(atomic.Int64), func(int64) error {
		if back.Load() {
			return nil
		}
		return away()
	})
	o := options()
	r := idleRig(t, o)
	bucket := "KV_" + r.Log.Names().DeliveriesBucket()
	noted := func() bool {
		st, err := r.Log.JetStream().Stream(t.Context(), bucket)
		return err == nil && st.CachedInfo().State.Msgs > 0
	}
	first := r.run(t, e, o)
	r.submit(t, messages.Question{ID: "q", Question: "single one"})
	natstest.Eventually(t, "a note", noted)
	first.stop()
	var dir string
	r.Restart(t, func(d string) {
		dir = d
		natstest.LoseSum(t, dir, bucket)
	})
	r.run(t, e, o)
	natstest.Eventually(t, "notes again, and their checksum", func() bool {
		_, err := os.Stat(filepath.Join(natstest.Kept(dir, bucket), "meta.sum"))
		return noted() && err == nil
	})
	back.Store(true)
	if a := r.answer(t, "q"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
}

// TestMessageThatCrashesWorkers holds that a message which nobody ever handed
// back is given up before it takes another worker with it.
func TestMessageThatCrashesWorkers(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	r.submit(t, messages.Question{ID: "q", Question: "compound one"})
	plan := &messages.Plan{Head: acceptedHead(messages.Compound, 1), Queries: []string{"a", "b"}}
	for _, m := range append([]messages.Message{plan}, plan.Retrieves()...) {
		if err := r.Log.Put(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	c, err := r.Log.Consumer(t.Context(), o.Streams, o.Table[2])
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < 12; { // as often as a worker takes it; the other is left alone
		batch, err := c.Fetch(1)
		if err != nil {
			t.Fatal(err)
		}
		for m := range batch.Messages() {
			if strings.HasSuffix(m.Subject(), ".2") {
				n++
				err = m.Nak()
			} else {
				err = m.NakWithDelay(time.Second)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var tries atomic.Int64
	r.run(t, failing(&tries, func(int64) error { return nil }), o)
	if a := r.answer(t, "q"); a.Status != messages.Partial || a.Hops[1].Answer != "" {
		t.Errorf("%+v", a)
	}
	if d := r.letter(t); !strings.Contains(d.Error, "delivered 13 times and never settled") || tries.Load() != 1 {
		t.Errorf("after %d tries: %+v", tries.Load(), d)
	}
	r.verify(t, "q")
}

func TestAwayDelay(t *testing.T) {
	t.Parallel()
	open, named := fault.AsUnavailable(errors.New("x"), 0), fault.AsUnavailable(errors.New("x"), 7*time.Second)
	for _, c := range []struct {
		err        error
		deliveries int
		left, want time.Duration
	}{
		{open, 1, time.Hour, time.Second}, {open, 2, time.Hour, 2 * time.Second}, {open, 6, time.Hour, 32 * time.Second},
		{open, 9, time.Hour, 256 * time.Second}, {open, 10, time.Hour, 5 * time.Minute}, {open, 1 << 20, time.Hour, 5 * time.Minute},
		{open, 10, time.Minute, 15 * time.Second}, {open, 1, 2 * time.Second, 500 * time.Millisecond},
		{open, 1, 100 * time.Millisecond, 100 * time.Millisecond}, {open, 1, -time.Second, 100 * time.Millisecond},
		{named, 9, time.Hour, 7 * time.Second}, {named, 9, 3 * time.Second, 3 * time.Second},
	} {
		if got := runner.AwayDelay(c.err, c.deliveries, c.left); got != c.want {
			t.Errorf("delivery %d with %v left: %v, want %v", c.deliveries, c.left, got, c.want)
		}
	}
}

// TestFailedAttemptsCount holds that what failed attempts used of models is
// told, and taken from the budget.
func TestFailedAttemptsCount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		budget, calls int
		status        messages.Status
		attempts      int64
	}{
		"enough":    {0, 9, messages.Answered, 3},
		"too small": {5, 5, messages.Failed, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			var attempts atomic.Int64
			e.ClassifyFunc = func(ctx context.Context, q string) (messages.Class, error) {
				n := attempts.Add(1)
				for range 3 {
					if err := meter.From(ctx).Call(); err != nil {
						return "", err
					}
					meter.From(ctx).Spend(messages.RoleUsage{Role: "router", Calls: 1, PromptTokens: 10, ModelMS: 2})
				}
				if n < 3 {
					return "", errors.New("the reply is garbage")
				}
				return classOf(q), nil
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: "single one", Budget: messages.Budget{ModelCalls: c.budget}})
			r.verify(t, "q")
			if a.Status != c.status || attempts.Load() != c.attempts {
				t.Errorf("after %d attempts: %+v", attempts.Load(), a)
			}
			want := messages.RoleUsage{Role: "router", Calls: c.calls, PromptTokens: 10 * c.calls, ModelMS: 2 * int64(c.calls)}
			if a.Usage.ModelCalls != c.calls || len(a.Usage.Roles) != 1 || a.Usage.Roles[0] != want {
				t.Errorf("used %+v, want %d calls", a.Usage, c.calls)
			}
			if c.status == messages.Failed && !strings.Contains(a.Error, "budget: no model calls left") {
				t.Errorf("it failed for %q", a.Error)
			}
			if n := len(r.letters(t)); n != 0 {
				t.Errorf("%d dead letters", n)
			}
		})
	}
}
