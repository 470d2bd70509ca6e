package decomposer_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/decomposer"
)

// asPublished follows plans as MGA-RAG does.
func asPublished() decomposer.Options { return decomposer.Options{NoRepair: true, NoReduce: true} }

// TestPublishedPlanIsRevisedOnce holds that a plan is looked over once and that what
// the reviser returns is followed, however little it can be.
func TestPublishedPlanIsRevisedOnce(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", messages.MaxQuestion+1)
	for name, c := range map[string]struct{ revised, parts, queries []string }{
		"in order":         {[]string{"a?", "b of $1?"}, []string{"a?", "b of $1?"}, []string{"a?"}},
		"one part":         {[]string{"whole, in other words?"}, []string{"whole, in other words?"}, []string{"whole, in other words?"}},
		"too many":         {[]string{"a?", "b?", "c?", "d?", "e?", "f?"}, []string{"a?", "b?", "c?", "d?", "e?"}, []string{"a?", "b?", "c?", "d?", "e?"}},
		"one is too long":  {[]string{long, "b?"}, []string{"b?"}, []string{"b?"}},
		"begins all right": {[]string{"a?", "b of $9?"}, []string{"a?", "b of $9?"}, []string{"a?"}},
		"a cycle":          {[]string{"a of $2?", "b of $1?"}, []string{"whole?"}, []string{"whole?"}},
		"empty":            {nil, []string{"whole?"}, []string{"whole?"}},
	} {
		asked := 0
		e := planner([]string{"as planned?"}, func(plan []string, problem string) []string {
			if asked++; problem != "" || !slices.Equal(plan, []string{"as planned?"}) {
				t.Errorf("%s: revises %v for %q", name, plan, problem)
			}
			return c.revised
		})
		p := handle(t, e, asPublished(), planned(1, messages.PlanState{}))
		if asked != 1 || p.Repaired || p.Strategy != messages.Planned || p.Class != messages.Complex || !slices.Equal(p.Parts, c.parts) || !slices.Equal(p.Queries, c.queries) {
			t.Errorf("%s: revised %d times: %+v", name, asked, p)
		}
	}
}

// TestPublishedPlanEnds where a part needs an answer that was not found: nobody is
// asked for another plan or another question, and what was found is answered from.
func TestPublishedPlanEnds(t *testing.T) {
	t.Parallel()
	e := planner(nil, func([]string, string) []string { panic("planned anew") })
	e.RefineFunc = func(context.Context, string, []messages.Pair) (string, error) { panic("refined") }
	state := messages.PlanState{Parts: []string{"a?", "b?", "c of $2?", "d of $1?"}}
	in := planned(2, state, answered(1, "x"), answered(2, ""))
	p := handle(t, e, asPublished(), in)
	if !slices.Equal(p.Queries, []string{"d of x?"}) || !slices.Equal(p.Answers, []int{4}) {
		t.Errorf("%+v", p)
	}
	in.Round, in.Pairs = 3, append(in.Pairs, answered(4, "y"))
	out, err := decomposer.New(e, asPublished()).Handle(t.Context(), in)
	if err != nil || len(out) != 1 || out[0].Key() != (messages.Key{ID: "q"}) {
		t.Fatalf("%v, %v", out, err)
	}
	g := out[0].(*messages.Generate)
	if g.Validate() != nil || g.Cut != "the plan ended early: sub-question 2 found no answer" || len(g.Pairs) != 3 || g.Strategy != messages.Planned {
		t.Errorf("%+v", g)
	}
}
