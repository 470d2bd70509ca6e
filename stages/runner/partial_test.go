package runner_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/meter"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// TestBranchIsGivenUp lets the search of one branch fail for as long as the
// question has: the final answer is made of what the others found.
func TestBranchIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"comes again and again": time.Millisecond, "names a day": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			e.SearchFunc = func(_ context.Context, q string, _ int) ([]messages.Passage, error) {
				if strings.HasSuffix(q, " b") {
					return nil, fault.AsUnavailable(errors.New("the index is behind"), wait)
				}
				return passages(1), nil
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: "compound one", Deadline: after(4 * time.Second)})
			r.verify(t, "q")
			if a.Status != messages.Partial || len(a.Hops) != 3 || !strings.Contains(a.Hops[1].Error, "behind") || a.Hops[2].Answer == "" {
				t.Errorf("%+v", a)
			}
			if a.LatencyMS < 2900 {
				t.Errorf("it is given up after %v ms", a.LatencyMS)
			}
		})
	}
}

// TestExpiredKeepsWhatWasFound lets one branch hang: the question expires, and its
// answer has the sub-answers of the others, whoever ends it.
func TestExpiredKeepsWhatWasFound(t *testing.T) {
	t.Parallel()
	for name, worker := range map[string]bool{"a stage ends it": true, "the sentinel ends it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			release := make(chan struct{})
			e.SearchFunc = func(ctx context.Context, q string, _ int) ([]messages.Passage, error) {
				switch {
				case !strings.HasSuffix(q, " b"):
				case worker:
					<-ctx.Done()
					return nil, ctx.Err()
				default:
					<-release
				}
				return passages(1), nil
			}
			r := newRig(t, e, options())
			a := r.ask(t, messages.Question{ID: "q", Question: "compound one", Deadline: after(700 * time.Millisecond)})
			close(release)
			r.verify(t, "q")
			answers := 0
			for _, h := range a.Hops {
				if h.Answer != "" {
					answers++
				}
			}
			if a.Status != messages.Expired || answers != 2 || a.Class != messages.Compound {
				t.Errorf("%d sub-answers: %+v", answers, a)
			}
		})
	}
}

// TestGivenUpIsTold lets an engine go on without something: the hop, the answer and
// the figures say so, and only for want of time is an answer partial.
func TestGivenUpIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		why    error
		status messages.Status
		late   float64 // of each of the two
	}{"time": {meter.ErrLate, messages.Partial, 1}, "failure": {errors.New("no JSON"), messages.Answered, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			relevant, synthesize := e.RelevantFunc, e.SynthesizeFunc
			e.RelevantFunc = func(ctx context.Context, q string, ps []messages.Passage) ([]bool, error) {
				if strings.HasSuffix(q, " b") {
					meter.From(ctx).GiveUp("relevance", c.why)
				}
				if relevant == nil {
					return make([]bool, len(ps)), nil
				}
				return relevant(ctx, q, ps)
			}
			e.SynthesizeFunc = func(ctx context.Context, q string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
				meter.From(ctx).GiveUp("synthesis", c.why)
				if synthesize == nil {
					return messages.Finding{Text: "all"}, nil
				}
				return synthesize(ctx, q, class, pairs)
			}
			o := options()
			o.Metrics = runner.NewMetrics(nil)
			r := newRig(t, e, o)
			a := r.ask(t, messages.Question{ID: "q", Question: "compound one"})
			r.verify(t, "q")
			reason := c.why.Error()
			if a.Status != c.status || len(a.GaveUp) != 1 || a.GaveUp[0] != "synthesis: "+reason {
				t.Errorf("%s, gave up %q", a.Status, a.GaveUp)
			}
			if d := a.Hops[1].Degraded; len(d) != 1 || d[0] != "relevance: "+reason || len(a.Hops[0].Degraded) != 0 {
				t.Errorf("hop degraded %q", d)
			}
			natstest.Eventually(t, "it is counted", func() bool {
				for _, stage := range []string{"filter", "generator"} {
					if late, failed := o.Metrics.GivenUp(stage); late != c.late || failed != 1-c.late {
						return false
					}
				}
				return true
			})
		})
	}
}
