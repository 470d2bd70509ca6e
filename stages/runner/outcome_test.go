package runner_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/runner"
)

// TestFates breaks the search for one branch, in every class of error, and
// looks at what becomes of the branch, its question and its message.
func TestFates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail   func(attempt int64) error
		status messages.Status
		tries  int64
		reason string // of the dead letter and the hop; empty: there is none
	}{
		"transient": {func(n int64) error {
			if n < 3 {
				return errors.New("hiccup")
			}
			return nil
		}, messages.Answered, 3, ""},
		"later": {func(n int64) error {
			if n < 2 {
				return fault.RetryAfter(errors.New("busy"), 50*time.Millisecond)
			}
			return nil
		}, messages.Answered, 2, ""},
		"permanent": {func(int64) error { return fault.Permanentf("no such index") }, messages.Partial, 1, "no such index"},
		"exhausted": {func(int64) error { return errors.New("always down") }, messages.Partial, 3, "always down"},
		"panic":     {func(int64) error { panic("boo") }, messages.Partial, 3, "panic: boo"},
		"says it was cancelled": {func(n int64) error {
			if n < 2 {
				return fmt.Errorf("client: %w", context.Canceled)
			}
			return nil
		}, messages.Answered, 2, ""},
		"always says so": {func(int64) error { return context.Canceled }, messages.Partial, 3, "canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			var tries atomic.Int64
			e.SearchFunc = func(_ context.Context, q string, _ int) ([]messages.Passage, error) {
				if strings.HasSuffix(q, " b") {
					return passages(3), c.fail(tries.Add(1))
				}
				return passages(3), nil
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: "compound one"})
			if a.Status != c.status || len(a.Hops) != 3 || tries.Load() != c.tries || a.Answer != "<compound one c>" {
				t.Errorf("after %d tries: %+v", tries.Load(), a)
			}
			if c.reason == "" {
				r.verify(t, "q")
				if n := len(r.letters(t)); n != 0 {
					t.Errorf("%d dead letters", n)
				}
				return
			}
			d := r.letter(t)
			if d.Stage != "retriever" || d.ID != "q" || d.Subject != "hop.v1.retrieve.q.1.2" || !strings.Contains(d.Error, c.reason) || d.Deliveries != int(c.tries) {
				t.Errorf("dead letter %+v", d)
			}
			if m, err := messages.Decode(messages.KindRetrieve, d.Data); err != nil || m.(*messages.Retrieve).Query != "compound one b" {
				t.Errorf("the letter does not hold the message: %v, %v", m, err)
			}
			if hop := a.Hops[1]; hop.Answer != "" || !strings.Contains(hop.Error, c.reason) || hop.Question != "compound one b" {
				t.Errorf("hop %+v", hop)
			}
			r.verify(t, "q")
		})
	}
}

// TestWholeQuestionFails breaks what no join can make good.
func TestWholeQuestionFails(t *testing.T) {
	t.Parallel()
	broken := fault.Permanentf("out of order")
	for stage, c := range map[string]struct{ question string }{
		"router": {"single one"}, "decomposer": {"complex one"}, "retriever": {"single one"},
		"judge": {"complex one"}, "generator": {"compound one"},
	} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			switch stage {
			case "router":
				e.ClassifyFunc = func(context.Context, string) (messages.Class, error) { return "", broken }
			case "decomposer":
				e.RefineFunc = func(context.Context, string, []messages.Pair) (string, error) { return "", broken }
			case "retriever":
				e.SearchFunc = func(context.Context, string, int) ([]messages.Passage, error) { return nil, broken }
			case "judge":
				e.EnoughFunc = func(context.Context, string, []messages.Pair) (bool, error) { return false, broken }
			case "generator":
				e.SynthesizeFunc = func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
					return messages.Finding{}, broken
				}
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: c.question})
			if a.Status != messages.Failed || !strings.Contains(a.Error, "out of order") {
				t.Errorf("%+v", a)
			}
			if d := r.letter(t); d.Stage != stage {
				t.Errorf("it died in %s", d.Stage)
			}
			r.verify(t, "q")
		})
	}
}

// TestUnstorableResult holds that a result which cannot be encoded, or which
// the server does not take, fails its branch for good.
func TestUnstorableResult(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]messages.Passage{
		"not a number": {ID: "a", Text: "x", Score: math.NaN()},
		"too large":    {ID: "a", Text: strings.Repeat("x", 2<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			e.SearchFunc = func(_ context.Context, q string, _ int) ([]messages.Passage, error) {
				if strings.HasSuffix(q, " b") {
					return []messages.Passage{p}, nil
				}
				return passages(1), nil
			}
			r := newRig(t, e, options())
			if a := r.ask(t, messages.Question{ID: "q", Question: "compound one"}); a.Status != messages.Partial {
				t.Errorf("%+v", a)
			}
			if d := r.letter(t); d.Stage != "retriever" || d.Deliveries != 1 {
				t.Errorf("%+v", d)
			}
			r.verify(t, "q")
		})
	}
}

// TestAnswerTooLarge holds that a question ends even when its answer cannot
// be stored.
func TestAnswerTooLarge(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.AnswerFunc = func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: strings.Repeat("y", 400<<10)}, nil // fits a sub-answer, but not three of them
	}
	r := newRig(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "compound one"})
	if a.Status != messages.Failed || !strings.Contains(a.Error, "larger than the server takes") {
		t.Errorf("%s, %q", a.Status, a.Error)
	}
	if len(r.letters(t)) == 0 {
		t.Error("no dead letter")
	}
	r.verify(t, "q")
}

// TestOutcomesAreCounted looks at the metrics after one message of each outcome.
func TestOutcomesAreCounted(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	var tries atomic.Int64
	e.SearchFunc = func(_ context.Context, q string, _ int) ([]messages.Passage, error) {
		switch {
		case strings.HasSuffix(q, " a") && tries.Add(1) == 1:
			return nil, errors.New("hiccup")
		case strings.HasSuffix(q, " b"):
			return nil, fault.Permanentf("broken")
		}
		return passages(1), nil
	}
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	r := newRig(t, e, o)
	r.ask(t, messages.Question{ID: "q", Question: "compound one"})
	r.verify(t, "q")
	r.worker.stop() // counting follows settling
	got := o.Metrics.Outcomes("retriever")
	for name, want := range map[string]float64{"done": 2, "retried": 1, "dead": 1, "letters": 1, "redelivered": 1, "expired": 0, "cancelled": 0, "conflicts": 0} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
}

// TestFailedHopTellsItsSearch fails sub-queries behind the retriever: their
// hops say all the same what was found, and by whom.
func TestFailedHopTellsItsSearch(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.SearchFunc = func(context.Context, string, int) ([]messages.Passage, error) {
		found := passages(2)
		found[0].By = []string{"bm25", "dense"}
		return found, nil
	}
	e.RelevantFunc = func(_ context.Context, q string, found []messages.Passage) ([]bool, error) {
		if strings.HasSuffix(q, " b") {
			return nil, fault.Permanentf("no verdict")
		}
		return make([]bool, len(found)), nil
	}
	a := newRig(t, e, options()).ask(t, messages.Question{ID: "q", Question: "compound one"})
	if a.Status != messages.Partial || len(a.Hops) != 3 {
		t.Fatalf("%+v", a)
	}
	if found := a.Hops[1].Found; len(found) != 1 || found[0].ID != "p0" || len(found[0].By) != 2 {
		t.Errorf("%+v", a.Hops[1])
	}
}
