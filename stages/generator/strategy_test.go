package generator_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/generator"
	"hopstream/stages/meter"
)

// TestEscalation holds when a single question goes on as complex.
func TestEscalation(t *testing.T) {
	t.Parallel()
	budget := messages.Budget{Rounds: 2, ModelCalls: 10, Tokens: 100}
	for name, c := range map[string]struct {
		how    generator.Escalation
		answer string
		enough bool
		change func(h *messages.Head)
		want   messages.Kind
		judged bool
	}{
		"unanswered":                {"", "", false, nil, messages.KindDecompose, false},
		"answered":                  {"", "x", false, nil, messages.KindAnswer, false},
		"never":                     {generator.EscalateNever, "", false, nil, messages.KindAnswer, false},
		"judged insufficient":       {generator.EscalateJudged, "x", false, nil, messages.KindDecompose, true},
		"judged enough":             {generator.EscalateJudged, "x", true, nil, messages.KindAnswer, true},
		"judged, but unanswered":    {generator.EscalateJudged, "", true, nil, messages.KindDecompose, false},
		"once":                      {"", "", false, func(h *messages.Head) { h.Rerouted = messages.Reduced }, messages.KindAnswer, false},
		"no round left":             {"", "", false, func(h *messages.Head) { h.Budget.Rounds = 1 }, messages.KindAnswer, false},
		"no call left":              {"", "", false, func(h *messages.Head) { h.Usage.ModelCalls = 10 }, messages.KindAnswer, false},
		"no token left":             {"", "", false, func(h *messages.Head) { h.Usage.PromptTokens = 100 }, messages.KindAnswer, false},
		"not a single one's branch": {"", "", false, func(h *messages.Head) { h.Class, h.Branches = messages.Compound, 2 }, messages.KindSubanswer, false},
	} {
		judged := false
		e := &roles.Set{
			AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
				return messages.Finding{Text: c.answer}, nil
			},
			FuseFunc: func(_ context.Context, _ string, f []messages.Finding, _ []messages.Passage) (messages.Finding, error) {
				return f[0], nil
			},
			EnoughFunc: func(_ context.Context, q string, pairs []messages.Pair) (bool, error) {
				judged = q == "whole?" && len(pairs) == 1 && pairs[0].Answer == c.answer
				return c.enough, nil
			},
		}
		in := &messages.Generate{Head: head(messages.Single, 1, 1, 1), Query: "whole?", Windows: windows()}
		in.Budget = budget
		if c.change != nil {
			c.change(&in.Head)
		}
		ctx, _ := meter.With(t.Context(), in.Remaining())
		out, err := generator.New(e, generator.Options{Escalate: c.how}).Handle(ctx, in)
		if err != nil || len(out) != 1 || out[0].Validate() != nil {
			t.Errorf("%s: %v, %v", name, out, err)
			continue
		}
		if out[0].Kind() != c.want || judged != c.judged {
			t.Errorf("%s: %s, judged %v", name, out[0].Kind(), judged)
		}
		if d, ok := out[0].(*messages.Decompose); ok {
			if d.Class != messages.Complex || d.Round != 2 || d.Branch != 0 || d.Rerouted != messages.Escalated || len(d.Pairs) != 1 || d.Pairs[0].Question != "whole?" {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
}

// TestEscalatedIsNotPartial: that the question found no answer as it stood is
// no part left open.
func TestEscalatedIsNotPartial(t *testing.T) {
	t.Parallel()
	in := &messages.Generate{Head: head(messages.Complex, 3, 0, 0)}
	in.Pairs = []messages.Pair{{Round: 1, Branch: 1, Question: "whole?", Error: "x"}, {Round: 2, Branch: 1, Question: "part?", Answer: "a"}}
	if a := handle(t, &roles.Set{}, in).(*messages.Answer); a.Status != messages.Partial {
		t.Errorf("%+v", a)
	}
	in.Rerouted = messages.Escalated
	if a := handle(t, &roles.Set{}, in).(*messages.Answer); a.Status != messages.Answered || a.Rerouted != messages.Escalated {
		t.Errorf("%+v", a)
	}
}

// TestNothingFoundIsNotAnswered: a model that would answer is not asked.
func TestNothingFoundIsNotAnswered(t *testing.T) {
	t.Parallel()
	e := &roles.Set{SynthesizeFunc: func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
		return messages.Finding{Text: "invented"}, nil
	}}
	in := &messages.Generate{Head: head(messages.Compound, 1, 0, 0)}
	in.Pairs = []messages.Pair{{Round: 1, Branch: 1, Question: "one?"}, {Round: 1, Branch: 2, Question: "two?", Failed: true}}
	if a := handle(t, e, in).(*messages.Answer); a.Status != messages.Failed || a.Answer != "" || a.Error != generator.NotFound {
		t.Errorf("%+v", a)
	}
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	e := &roles.Set{SummariseFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: "A summary."}, nil
	}}
	for _, c := range []struct {
		class    messages.Class
		strategy messages.Strategy
		want     string
	}{
		{messages.Complex, messages.Supplement, "A summary."}, {messages.Complex, messages.Planned, "yes"}, {messages.Compound, messages.Supplement, "yes"},
	} {
		in := &messages.Generate{Head: head(c.class, 1, 1, 2), Query: "one?", Windows: windows()[:2]}
		in.Strategy = c.strategy
		if s := handle(t, e, in).(*messages.Subanswer); s.Pair.Answer != c.want {
			t.Errorf("%s by %s: %q", c.class, c.strategy, s.Pair.Answer)
		}
	}
	broken := errors.New("broken")
	e.SummariseFunc = func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{}, broken
	}
	in := &messages.Generate{Head: head(messages.Complex, 1, 1, 2), Query: "one?", Windows: windows()}
	in.Strategy = messages.Supplement
	if _, err := generator.New(e, generator.Options{}).Handle(t.Context(), in); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestNoFusion(t *testing.T) {
	t.Parallel()
	e := &roles.Set{
		AnswerFunc: func(_ context.Context, _ string, ws []messages.Window) (messages.Finding, error) {
			return messages.Finding{Text: ws[0].Text, Confidence: map[int]float64{150: .2, 250: .7, 350: .5}[ws[0].Scale]}, nil
		},
		FuseFunc: func(context.Context, string, []messages.Finding, []messages.Passage) (messages.Finding, error) {
			panic("asked")
		},
	}
	out, err := generator.New(e, generator.Options{NoFusion: true}).Handle(t.Context(), &messages.Generate{Head: head(messages.Compound, 1, 1, 2), Query: "one?", Windows: windows()})
	if err != nil || out[0].(*messages.Subanswer).Pair.Answer != "a2" {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestListIsTold holds that the items of a list come once each, with what
// supports them, and that those of the last hop are those of the answer.
func TestListIsTold(t *testing.T) {
	t.Parallel()
	a, b := messages.Source{ID: "a", Title: "A"}, messages.Source{ID: "b"}
	items := []messages.Claim{{Text: "Oslo", Citations: []messages.Source{a}}, {Text: "Bergen", Citations: []messages.Source{b}}, {Text: " oslo ", Citations: []messages.Source{a, b}}, {}}
	want := []messages.Claim{{Text: "Oslo", Citations: []messages.Source{a, b}}, {Text: "Bergen", Citations: []messages.Source{b}}}
	e := &roles.Set{AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: "Oslo; Bergen", Claims: items}, nil
	}}
	in := &messages.Generate{Head: head(messages.Single, 1, 1, 1), Query: "whole?", Windows: windows()[:2]}
	single := handle(t, e, in).(*messages.Answer)
	if !reflect.DeepEqual(single.Claims, want) {
		t.Errorf("%+v", single.Claims)
	}
	in.Head = head(messages.Complex, 1, 1, 2)
	last := handle(t, e, in).(*messages.Subanswer).Pair
	whole := &messages.Generate{Head: head(messages.Complex, 2, 0, 0)}
	whole.Pairs = []messages.Pair{{Round: 1, Branch: 2, Question: "before?", Answer: "Norway"}, last}
	if got := handle(t, &roles.Set{}, whole).(*messages.Answer); got.Answer != "Oslo; Bergen" || !reflect.DeepEqual(got.Claims, want) {
		t.Errorf("%+v", got)
	}
	e.AnswerFunc = func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: "Oslo", Claims: items[:1]}, nil
	}
	in.Head = head(messages.Single, 1, 1, 1)
	if got := handle(t, e, in).(*messages.Answer); got.Claims != nil {
		t.Errorf("a list of one: %+v", got.Claims)
	}
	record := messages.Claim{Text: "Oslo", Fields: []messages.Field{{Name: "river", Value: "Akerselva"}}, Citations: []messages.Source{a}}
	e.AnswerFunc = func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{Text: "Oslo (river: Akerselva)", Claims: []messages.Claim{record}}, nil
	}
	if got := handle(t, e, in).(*messages.Answer); !reflect.DeepEqual(got.Claims, []messages.Claim{record}) {
		t.Errorf("one record: %+v", got.Claims)
	}
}

// TestCompoundClaims holds that each sub-answer is told with its passages.
func TestCompoundClaims(t *testing.T) {
	t.Parallel()
	a, b := messages.Source{ID: "a"}, messages.Source{ID: "b"}
	in := &messages.Generate{Head: head(messages.Compound, 1, 0, 0)}
	in.Pairs = []messages.Pair{
		{Round: 1, Branch: 1, Question: "where?", Answer: "Oslo", Sources: []messages.Source{a}},
		{Round: 1, Branch: 2, Question: "when?"},
		{Round: 1, Branch: 3, Question: "who?", Answer: "X; Y", Claims: []messages.Claim{{Text: "X", Citations: []messages.Source{b}}, {Text: "Y"}}},
	}
	want := []messages.Claim{{Text: "Oslo", Question: "where?", Citations: []messages.Source{a}}, {Text: "X", Question: "who?", Citations: []messages.Source{b}}, {Text: "Y", Question: "who?"}}
	got := handle(t, &roles.Set{}, in).(*messages.Answer)
	if !reflect.DeepEqual(got.Claims, want) || !slices.Contains(got.Citations, a) {
		t.Errorf("%+v", got)
	}
	in.Pairs = in.Pairs[:2]
	if got = handle(t, &roles.Set{}, in).(*messages.Answer); got.Claims != nil {
		t.Errorf("one claim: %+v", got.Claims)
	}
}
