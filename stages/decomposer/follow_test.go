package decomposer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/decomposer"
	"hopstream/stages/engine/roles"
	"hopstream/stages/meter"
)

// planned is a complex question to be pursued by a plan.
func planned(round int, state messages.PlanState, pairs ...messages.Pair) *messages.Decompose {
	state.Strategy = messages.Planned
	return &messages.Decompose{Head: messages.Head{ID: "q", Class: messages.Complex, Round: round, Question: "whole?", PlanState: state,
		Deadline: time.Now().Add(time.Minute), Budget: messages.Budget{Branches: 8}, Pairs: pairs}}
}

// planner is an engine that plans so, revises by revise, and refines to "next?".
func planner(plan []string, revise func(plan []string, problem string) []string) *roles.Set {
	e := &roles.Set{
		PlanFunc:   func(context.Context, string) ([]string, error) { return plan, nil },
		RefineFunc: func(context.Context, string, []messages.Pair) (string, error) { return "next?", nil },
	}
	if revise != nil {
		e.ReviseFunc = func(_ context.Context, _ string, plan []string, _ []messages.Pair, problem string) ([]string, error) {
			return revise(plan, problem), nil
		}
	}
	return e
}

func handle(t *testing.T, e *roles.Set, o decomposer.Options, in *messages.Decompose) *messages.Plan {
	t.Helper()
	out, err := decomposer.New(e, o).Handle(t.Context(), in)
	if err != nil || len(out) != 1 || out[0].Validate() != nil {
		t.Fatalf("%v, %v", out, err)
	}
	return out[0].(*messages.Plan)
}

func answered(part int, answer string) messages.Pair {
	return messages.Pair{Round: 1, Branch: 1, Part: part, Question: "?", Answer: answer}
}

// TestIndependentPartsGoTogether walks through a plan of two branches that a
// last part joins: two rounds, not three.
func TestIndependentPartsGoTogether(t *testing.T) {
	t.Parallel()
	plan := []string{"Who directed A?", "Who directed B?", "When was $1 born?", "When was $2 born?"}
	e := planner(plan, nil)
	first := handle(t, e, decomposer.Options{}, planned(1, messages.PlanState{}))
	if !slices.Equal(first.Queries, plan[:2]) || !slices.Equal(first.Answers, []int{1, 2}) || !slices.Equal(first.Parts, plan) {
		t.Fatalf("%+v", first)
	}
	for i, m := range first.Retrieves() {
		if m.(*messages.Retrieve).Part != i+1 {
			t.Errorf("branch %d answers part %d", i+1, m.(*messages.Retrieve).Part)
		}
	}
	second := handle(t, e, decomposer.Options{}, planned(2, first.PlanState, answered(1, "Ann Lee."), answered(2, "Bo")))
	if !slices.Equal(second.Queries, []string{"When was Ann Lee. born?", "When was Bo born?"}) || !slices.Equal(second.Answers, []int{3, 4}) {
		t.Errorf("%+v", second)
	}
}

func TestBudgetOfBranches(t *testing.T) {
	t.Parallel()
	in := planned(1, messages.PlanState{})
	in.Budget.Branches = 2
	p := handle(t, planner([]string{"a?", "b?", "c?"}, nil), decomposer.Options{}, in)
	if !slices.Equal(p.Queries, []string{"a?", "b?"}) {
		t.Errorf("%v", p.Queries)
	}
	in = planned(2, p.PlanState, answered(1, "x"), answered(2, "y"))
	in.Budget.Branches = 2
	if p = handle(t, planner(nil, nil), decomposer.Options{}, in); !slices.Equal(p.Queries, []string{"c?"}) {
		t.Errorf("%v", p.Queries)
	}
}

// TestPlanThatCannotBeFollowed is repaired once, and then refined.
func TestPlanThatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan []string
		says string
	}{
		"empty":               {nil, "empty"},
		"unknown placeholder": {[]string{"a?", "b of $3?"}, "names $3"},
		"its own answer":      {[]string{"a?", "b of $2?"}, "needs its own answer"},
		"cycle":               {[]string{"a of $2?", "b of $1?"}, "needs its own answer"},
		"too many parts":      {[]string{"a?", "b?", "c?", "d?", "e?", "f?"}, "at most 5"},
		"too long":            {[]string{"a?", strings.Repeat("b", messages.MaxQuestion+1)}, "too long"},
	} {
		problem := ""
		good := []string{"a?", "b of $1?"}
		e := planner(c.plan, func(plan []string, p string) []string {
			if p == "" {
				return plan
			}
			problem = p
			return good
		})
		p := handle(t, e, decomposer.Options{}, planned(1, messages.PlanState{}))
		if !strings.Contains(problem, c.says) || !p.Repaired || p.Strategy != messages.Planned || !slices.Equal(p.Parts, good) || !slices.Equal(p.Queries, good[:1]) {
			t.Errorf("%s: problem %q, %+v", name, problem, p)
		}
		// No better plan: refined.
		e = planner(c.plan, func(plan []string, _ string) []string { return c.plan })
		p = handle(t, e, decomposer.Options{}, planned(1, messages.PlanState{}))
		if p.Strategy != messages.Refine || len(p.Parts) != 0 || !slices.Equal(p.Queries, []string{"next?"}) || !p.Repaired {
			t.Errorf("%s, no better: %+v", name, p)
		}
		// The ablation asks no reviser.
		e.ReviseFunc = func(context.Context, string, []string, []messages.Pair, string) ([]string, error) { panic("asked") }
		p = handle(t, e, decomposer.Options{NoReviser: true}, planned(1, messages.PlanState{}))
		if p.Strategy != messages.Refine || p.Repaired {
			t.Errorf("%s, no reviser: %+v", name, p)
		}
	}
}

// TestPlanThatStalls goes on after a part found no answer.
func TestPlanThatStalls(t *testing.T) {
	t.Parallel()
	state := messages.PlanState{Parts: []string{"a?", "b?", "c of $2?"}}
	pairs := []messages.Pair{answered(1, "x"), answered(2, "")}
	repaired := []string{"a?", "other b?", "c of $2?"}
	var problem string
	e := planner(nil, func(_ []string, p string) []string { problem = p; return repaired })
	p := handle(t, e, decomposer.Options{}, planned(2, state, pairs...))
	if problem != "sub-question 2 found no answer" || !p.Repaired || !slices.Equal(p.Queries, []string{"other b?"}) || !slices.Equal(p.Answers, []int{2}) {
		t.Errorf("problem %q, %+v", problem, p)
	}
	if p.PartPair(1) == nil || p.PartPair(1).Answer != "x" || pairs[1].Part != 2 {
		t.Error("the answer to the part that stayed is lost, or the input was changed")
	}
	// It stalls again: refined, once and for all.
	next := planned(3, p.PlanState, append(slices.Clone(p.Pairs), answered(2, ""))...)
	p = handle(t, e, decomposer.Options{}, next)
	if p.Strategy != messages.Refine || !slices.Equal(p.Queries, []string{"next?"}) || p.Parts != nil {
		t.Errorf("%+v", p)
	}
	for _, pair := range p.Pairs {
		if pair.Part != 0 {
			t.Errorf("%+v belongs to a plan that is gone", pair)
		}
	}
}

func TestOnePartIsSingle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		strategy messages.Strategy
		query    string
		want     messages.Class
	}{
		"plan of one part":            {messages.Planned, "in other words?", messages.Single},
		"seed is the question":        {messages.Refine, " Whole", messages.Single},
		"seed is another":             {messages.Refine, "half?", messages.Complex},
		"atomic query is the whole":   {messages.Supplement, "whole?", messages.Single},
		"atomic query is another one": {messages.Supplement, "half?", messages.Complex},
	} {
		e := planner([]string{c.query}, nil)
		e.RefineFunc = func(context.Context, string, []messages.Pair) (string, error) { return c.query, nil }
		e.AtomiseFunc = func(context.Context, string) ([]string, error) { return []string{c.query}, nil }
		e.SupplementFunc = func(context.Context, string, []messages.Pair) ([]string, error) { return []string{c.query}, nil }
		in := planned(1, messages.PlanState{})
		in.Strategy = c.strategy
		p := handle(t, e, decomposer.Options{}, in)
		if p.Class != c.want || (p.Rerouted == messages.Reduced) != (c.want == messages.Single) || !slices.Equal(p.Queries, []string{strings.TrimSpace(c.query)}) {
			t.Errorf("%s: %+v", name, p)
		}
		if p.Class == messages.Single && (len(p.Parts) != 0 || !p.Retrieves()[0].(*messages.Retrieve).Single()) {
			t.Errorf("%s: %+v", name, p)
		}
		// As published it is judged and synthesised like any other.
		if p = handle(t, e, decomposer.Options{NoReduce: true}, in); p.Class != messages.Complex || p.Rerouted != "" || len(p.Queries) != 1 {
			t.Errorf("%s, not reduced: %+v", name, p)
		}
		// Later, or after it was single already, it stays complex.
		in.Rerouted, in.Round, in.Pairs = messages.Escalated, 2, []messages.Pair{{Round: 1, Branch: 1, Question: "whole?"}}
		out, err := decomposer.New(e, decomposer.Options{}).Handle(t.Context(), in)
		if err != nil || out[0].(messages.Carrier).Meta().Class != messages.Complex {
			t.Errorf("%s, escalated: %+v, %v", name, out, err)
		}
		if again := strings.Contains(name, "is the whole"); again && out[0].Kind() != messages.KindGenerate {
			t.Errorf("%s: asked again", name)
		}
	}
	// The ablation means it.
	in := planned(1, messages.PlanState{})
	in.Strategy = messages.Refine
	if p := handle(t, planner(nil, nil), decomposer.Options{NoRefiner: true}, in); p.Class != messages.Complex {
		t.Errorf("%+v", p)
	}
}

func TestSupplement(t *testing.T) {
	t.Parallel()
	e := &roles.Set{SupplementFunc: func(context.Context, string, []messages.Pair) ([]string, error) {
		return []string{"asked before", "new?", "new?", " newer?"}, nil
	}}
	in := planned(2, messages.PlanState{}, messages.Pair{Round: 1, Branch: 1, Question: "Asked  before?"})
	in.Strategy = messages.Supplement
	if p := handle(t, e, decomposer.Options{}, in); !slices.Equal(p.Queries, []string{"new?", "newer?"}) {
		t.Errorf("%q", p.Queries)
	}
}

func TestMoneyIsNoPlaceholder(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"Which car costs $2.50?", "Which car costs $2,000?"} {
		p := handle(t, planner([]string{part, "Who makes $1?"}, nil), decomposer.Options{}, planned(1, messages.PlanState{}))
		if !slices.Equal(p.Queries, []string{part}) || p.Repaired {
			t.Errorf("%q: %+v", part, p)
		}
	}
	in := planned(1, messages.PlanState{})
	in.Question = "What did the $1 coin replace?"
	if p := handle(t, planner([]string{"Is the $1 coin old?", "Who drew $2?"}, nil), decomposer.Options{}, in); p.Strategy != messages.Refine {
		t.Errorf("a part needs itself: %+v", p)
	}
	if p := handle(t, planner([]string{"Is the $1 coin old?", "What is older?"}, nil), decomposer.Options{}, in); len(p.Queries) != 2 {
		t.Errorf("%+v", p)
	}
}

func TestStrategyErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for want, e := range map[string]*roles.Set{
		"plan: broken": {PlanFunc: func(context.Context, string) ([]string, error) { return nil, broken }},
		"revise: broken": {PlanFunc: func(context.Context, string) ([]string, error) { return []string{"a?", "b?"}, nil },
			ReviseFunc: func(context.Context, string, []string, []messages.Pair, string) ([]string, error) { return nil, broken }},
		"atomise: broken":    {AtomiseFunc: func(context.Context, string) ([]string, error) { return nil, broken }},
		"supplement: broken": {SupplementFunc: func(context.Context, string, []messages.Pair) ([]string, error) { return nil, broken }},
	} {
		in := planned(1, messages.PlanState{})
		if e.PlanFunc == nil {
			in.Strategy = messages.Supplement
		}
		if e.SupplementFunc != nil {
			in.Round, in.Pairs = 2, []messages.Pair{{Round: 1, Branch: 1, Question: "half?"}}
		}
		if _, err := decomposer.New(e, decomposer.Options{}).Handle(t.Context(), in); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// FuzzFollow holds that any plan leads to a round that can be stored, and that
// following it ends.
func FuzzFollow(f *testing.F) {
	f.Add("a?|b of $1?|c of $2 and $1?", "x", true)
	f.Add("a of $2|b of $1", "", false)
	f.Add("$9|$$1|$1.5", "$1 $2", true)
	f.Fuzz(func(t *testing.T, text, answer string, revise bool) {
		if !strings.HasPrefix(strings.ToValidUTF8(text, ""), text) || len(text) > 4000 {
			return
		}
		parts := strings.Split(text, "|")
		e := planner(parts, func(plan []string, _ string) []string { return plan })
		in := planned(1, messages.PlanState{})
		for in.Round = 1; in.Round < 20; in.Round++ {
			out, err := decomposer.New(e, decomposer.Options{NoReviser: !revise}).Handle(t.Context(), in)
			if err != nil || out[0].Validate() != nil {
				t.Fatalf("%v: %+v", err, out)
			}
			p := out[0].(*messages.Plan)
			if p.Strategy == messages.Refine || p.Single() {
				return
			}
			in.Head = p.Head
			for i, n := range p.Answers {
				in.Pairs = append(in.Pairs, messages.Pair{Round: in.Round, Branch: i + 1, Part: n, Question: p.Queries[i], Answer: answer})
			}
			if in.Fulfilled() {
				return
			}
		}
		t.Fatal("the plan does not end")
	})
}

// TestNoTimeForAnotherRound holds that a later round which comes too late is not
// planned, and that the question is answered from what was found.
func TestNoTimeForAnotherRound(t *testing.T) {
	t.Parallel()
	d := decomposer.New(&roles.Set{}, decomposer.Options{}) // which would fail if it were asked
	ctx, m := meter.With(t.Context(), messages.Usage{ModelCalls: 9, PromptTokens: 9})
	m.Until(time.Now().Add(-time.Second), meter.Urgency{})
	out, err := d.Handle(ctx, planned(2, messages.PlanState{}, messages.Pair{Question: "a?", Answer: "x"}))
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	if g, ok := out[0].(*messages.Generate); !ok || g.Cut != meter.NoRound || len(g.Pairs) != 1 {
		t.Errorf("%+v", out[0])
	}
}
