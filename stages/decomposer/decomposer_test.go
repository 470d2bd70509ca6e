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
)

func decompose(class messages.Class, round, branches int) *messages.Decompose {
	return &messages.Decompose{Head: messages.Head{ID: "q", Class: class, Round: round, Question: "whole?",
		Deadline: time.Now().Add(time.Minute), Budget: messages.Budget{Branches: branches}, Pairs: []messages.Pair{{Question: "before?"}}}}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", messages.MaxQuestion+1)
	for name, c := range map[string]struct {
		parts, want []string
		branches    int
	}{
		"as it is":            {[]string{"a", "b"}, []string{"a", "b"}, 8},
		"tidied":              {[]string{" a ", "", "a", "b\n", long, "\t"}, []string{"a", "b"}, 8},
		"within its budget":   {[]string{"a", "b", "c", "d"}, []string{"a", "b", "c"}, 3},
		"budget after tidied": {[]string{"a", "a", "b"}, []string{"a", "b"}, 2},
		"nothing":             {nil, []string{"whole?"}, 8},
		"nothing useful":      {[]string{"", long}, []string{"whole?"}, 8},
	} {
		e := &roles.Set{SplitFunc: func(context.Context, string) ([]string, error) { return c.parts, nil }}
		out, err := decomposer.New(e, decomposer.Options{}).Handle(t.Context(), decompose(messages.Compound, 1, c.branches))
		if err != nil || len(out) != 1 {
			t.Fatalf("%s: %v, %v", name, out, err)
		}
		plan := out[0].(*messages.Plan)
		if !slices.Equal(plan.Queries, c.want) || plan.Validate() != nil || plan.Round != 1 {
			t.Errorf("%s: %v", name, plan.Queries)
		}
	}
}

func TestRefine(t *testing.T) {
	t.Parallel()
	e := &roles.Set{RefineFunc: func(_ context.Context, q string, pairs []messages.Pair) (string, error) {
		return " " + q + pairs[0].Question, nil
	}}
	for name, c := range map[string]struct {
		o    decomposer.Options
		want string
	}{
		"refined":    {decomposer.Options{}, "whole?before?"},
		"no refiner": {decomposer.Options{NoRefiner: true}, "whole?"},
	} {
		out, err := decomposer.New(e, c.o).Handle(t.Context(), decompose(messages.Complex, 2, 8))
		if err != nil || !slices.Equal(out[0].(*messages.Plan).Queries, []string{c.want}) || out[0].Key().Round != 2 {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	e := &roles.Set{
		SplitFunc:  func(context.Context, string) ([]string, error) { return nil, broken },
		RefineFunc: func(context.Context, string, []messages.Pair) (string, error) { return "", broken },
	}
	for _, class := range []messages.Class{messages.Compound, messages.Complex} {
		if _, err := decomposer.New(e, decomposer.Options{}).Handle(t.Context(), decompose(class, 1, 8)); !errors.Is(err, broken) {
			t.Errorf("%s: %v", class, err)
		}
	}
}

// TestNothingIsLeftToAsk ends the rounds instead of asking the question again.
func TestNothingIsLeftToAsk(t *testing.T) {
	t.Parallel()
	e := &roles.Set{
		RefineFunc:     func(context.Context, string, []messages.Pair) (string, error) { return "", nil },
		SupplementFunc: func(context.Context, string, []messages.Pair) ([]string, error) { return []string{"Before"}, nil },
	}
	for _, strategy := range []messages.Strategy{messages.Refine, messages.Supplement} {
		in := decompose(messages.Complex, 2, 8)
		in.Strategy = strategy
		out, err := decomposer.New(e, decomposer.Options{}).Handle(t.Context(), in)
		if err != nil || len(out) != 1 || out[0].Kind() != messages.KindGenerate || out[0].Key() != (messages.Key{ID: "q"}) || out[0].Validate() != nil {
			t.Errorf("%s: %v, %v", strategy, out, err)
		}
		if out, err = decomposer.New(e, decomposer.Options{AllRounds: true}).Handle(t.Context(), in); err != nil || !slices.Equal(out[0].(*messages.Plan).Queries, []string{"whole?"}) {
			t.Errorf("%s, all rounds: %v, %v", strategy, out, err)
		}
		in.Round, in.Pairs = 1, nil
		e.AtomiseFunc = func(context.Context, string) ([]string, error) { return nil, nil }
		if out, err = decomposer.New(e, decomposer.Options{}).Handle(t.Context(), in); err != nil || !slices.Equal(out[0].(*messages.Plan).Queries, []string{"whole?"}) {
			t.Errorf("%s begins with %v, %v", strategy, out, err)
		}
	}
}

// TestJudgeBeforeTheFirstRound holds that a refined question for which there is
// nothing to look up is answered directly, and that nobody else is judged then.
func TestJudgeBeforeTheFirstRound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		class    messages.Class
		strategy messages.Strategy
		round    int
		pairs    bool
		enough   bool
		o        decomposer.Options
		judged   bool
	}{
		"enough":        {class: messages.Complex, round: 1, enough: true, o: decomposer.Options{JudgeFirst: true}, judged: true},
		"named refine":  {class: messages.Complex, strategy: messages.Refine, round: 1, enough: true, o: decomposer.Options{JudgeFirst: true}, judged: true},
		"not enough":    {class: messages.Complex, round: 1, o: decomposer.Options{JudgeFirst: true}, judged: true},
		"not wanted":    {class: messages.Complex, round: 1, enough: true},
		"second round":  {class: messages.Complex, round: 2, pairs: true, enough: true, o: decomposer.Options{JudgeFirst: true}},
		"gone on":       {class: messages.Complex, round: 1, pairs: true, enough: true, o: decomposer.Options{JudgeFirst: true}},
		"compound":      {class: messages.Compound, round: 1, enough: true, o: decomposer.Options{JudgeFirst: true}},
		"by a plan":     {class: messages.Complex, strategy: messages.Planned, round: 1, enough: true, o: decomposer.Options{JudgeFirst: true}},
		"supplementing": {class: messages.Complex, strategy: messages.Supplement, round: 1, enough: true, o: decomposer.Options{JudgeFirst: true}},
	} {
		judged := false
		e := &roles.Set{
			EnoughFunc: func(_ context.Context, q string, pairs []messages.Pair) (bool, error) {
				judged = q == "whole?" && len(pairs) == 0
				return c.enough, nil
			},
			RefineFunc: func(context.Context, string, []messages.Pair) (string, error) { return "next?", nil },
			PlanFunc:   func(context.Context, string) ([]string, error) { return []string{"next?", "last?"}, nil },
		}
		in := decompose(c.class, c.round, 8)
		in.Strategy = c.strategy
		if !c.pairs {
			in.Pairs = nil
		}
		out, err := decomposer.New(e, c.o).Handle(t.Context(), in)
		if err != nil || len(out) != 1 || out[0].Validate() != nil || judged != c.judged {
			t.Fatalf("%s: judged %v: %v, %v", name, judged, out, err)
		}
		g, direct := out[0].(*messages.Generate)
		if direct != (c.judged && c.enough) {
			t.Errorf("%s: %+v", name, out[0])
		}
		if direct && (g.Class != messages.Straightforward || g.Round != 0 || g.Key() != messages.Key{ID: "q"} || g.Rerouted != messages.Reduced || g.Remaining().ModelCalls != g.Budget.ModelCalls) {
			t.Errorf("%s: %+v", name, g)
		}
	}
	broken := errors.New("broken")
	e := &roles.Set{EnoughFunc: func(context.Context, string, []messages.Pair) (bool, error) { return false, broken }}
	in := decompose(messages.Complex, 1, 8)
	in.Pairs = nil
	if _, err := decomposer.New(e, decomposer.Options{JudgeFirst: true}).Handle(t.Context(), in); !errors.Is(err, broken) {
		t.Error(err)
	}
}
