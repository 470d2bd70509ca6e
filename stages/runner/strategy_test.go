package runner_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/messages"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// TestPlanRunsBranchesTogether takes a plan of four parts, two of which need
// another's answer, through the whole pipeline: two rounds of two.
func TestPlanRunsBranchesTogether(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.PlanFunc = func(context.Context, string) ([]string, error) {
		return []string{"director of A", "director of B", "birth of $1", "birth of $2"}, nil
	}
	e.EnoughFunc = func(context.Context, string, []messages.Pair) (bool, error) { panic("a plan needs no judge") }
	r := newRig(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "complex comparison", Strategy: messages.Planned})
	if a.Status != messages.Answered || a.Steps != 2 || len(a.Hops) != 4 || a.Strategy != messages.Planned || a.Repaired {
		t.Errorf("%+v", a)
	}
	if last := a.Hops[3]; last.Round != 2 || last.Branch != 2 || last.Question != "birth of <director of B>" {
		t.Errorf("%+v", last)
	}
	r.verify(t, "q")
}

// TestPlanWithAHole is repaired, then refined, and says both.
func TestPlanWithAHole(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.PlanFunc = func(context.Context, string) ([]string, error) { return []string{"first", "second of $1"}, nil }
	answer := e.AnswerFunc
	e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
		if q == "first" {
			return messages.Finding{}, nil
		}
		return answer(ctx, q, w)
	}
	o := options()
	o.Metrics = runner.NewMetrics(prometheus.NewRegistry())
	r := newRig(t, e, o)
	a := r.ask(t, messages.Question{ID: "q", Question: "complex hole", Strategy: messages.Planned})
	if a.Status != messages.Partial || !a.Repaired || a.Strategy != messages.Refine || a.Answer != "<complex hole #3>" {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
	natstest.Eventually(t, "the repair is counted", func() bool { return o.Metrics.Repaired() == 1 })
}

// TestMisrouted holds that a single question without an answer goes on as
// complex, that a complex one of one part is single, and that both are counted.
func TestMisrouted(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	answer := e.AnswerFunc
	e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
		if q == "single one" {
			return messages.Finding{}, nil
		}
		return answer(ctx, q, w)
	}
	e.PlanFunc = func(_ context.Context, q string) ([]string, error) { return []string{q}, nil }
	o := options()
	o.Metrics = runner.NewMetrics(prometheus.NewRegistry())
	r := newRig(t, e, o)
	up := r.ask(t, messages.Question{ID: "up", Question: "single one"})
	if up.Status != messages.Answered || up.Class != messages.Complex || up.Rerouted != messages.Escalated || up.Steps != 2 || up.Answer != "<single one #2>" {
		t.Errorf("%+v", up)
	}
	down := r.ask(t, messages.Question{ID: "down", Question: "complex one", Strategy: messages.Planned})
	if down.Status != messages.Answered || down.Class != messages.Single || down.Rerouted != messages.Reduced || down.Steps != 1 || down.Answer != "<complex one>" {
		t.Errorf("%+v", down)
	}
	given := r.ask(t, messages.Question{ID: "given", Question: "complex one", Class: messages.Compound})
	if given.Class != messages.Compound || len(given.Hops) != 3 {
		t.Errorf("its own class is not taken: %+v", given)
	}
	r.verify(t, "up", "down", "given")
	natstest.Eventually(t, "both are counted", func() bool {
		return o.Metrics.Rerouted(messages.Escalated) == 1 && o.Metrics.Rerouted(messages.Reduced) == 1
	})
}

// TestSupplementThroughThePipeline asks what is missing, never twice, and
// answers from summaries.
func TestSupplementThroughThePipeline(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.AtomiseFunc = func(context.Context, string) ([]string, error) { return []string{"one", "two"}, nil }
	e.SupplementFunc = func(context.Context, string, []messages.Pair) ([]string, error) {
		return []string{"one", "three"}, nil
	}
	e.SummariseFunc = func(_ context.Context, q string, _ []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: "Summary of " + q + ".", Confidence: 1}, nil
	}
	e.CompleteFunc = func(_ context.Context, _ string, pairs []messages.Pair) (bool, error) { return len(pairs) == 3, nil }
	r := newRig(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "complex sum", Strategy: messages.Supplement})
	if a.Steps != 2 || len(a.Hops) != 3 || a.Hops[2].Question != "three" || a.Answer != "Summary of three." || a.Strategy != messages.Supplement {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
}

// TestStraightforwardInVain holds that a straightforward question that neither
// the engine nor the documents answer ends: it went on as single once, and
// must not go on as complex, whose synthesis would stand where its direct
// attempt stands in the log.
func TestStraightforwardInVain(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.DirectFunc = func(context.Context, string) (messages.Finding, error) { return messages.Finding{}, nil }
	e.AnswerFunc = func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{}, nil
	}
	o := options()
	o.Metrics = runner.NewMetrics(prometheus.NewRegistry())
	r := newRig(t, e, o)
	a := r.ask(t, messages.Question{ID: "q", Question: "straightforward one"})
	if a.Status != messages.Unanswered || a.Class != messages.Single || a.Rerouted != messages.Retrieved || a.Steps != 1 {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
	natstest.Eventually(t, "it is counted", func() bool { return o.Metrics.Rerouted(messages.Retrieved) == 1 })
}
