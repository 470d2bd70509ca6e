package judge_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/judge"
	"hopstream/stages/meter"
)

func joined(round int, used messages.Usage) *messages.Judge {
	return &messages.Judge{Head: messages.Head{ID: "q", Class: messages.Complex, Round: round, Question: "whole?", Usage: used,
		Budget: messages.Budget{Rounds: 3, ModelCalls: 10, Tokens: 100}}}
}

func TestHandle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		enough, off bool
		round       int
		used        messages.Usage
		kind        messages.Kind
		cut         string // part of it
		asked       bool
	}{
		"enough":                {true, false, 1, messages.Usage{}, messages.KindGenerate, "", true},
		"not enough":            {false, false, 1, messages.Usage{}, messages.KindDecompose, "", true},
		"enough in last round":  {true, false, 3, messages.Usage{}, messages.KindGenerate, "", true},
		"rounds used up":        {false, false, 3, messages.Usage{}, messages.KindGenerate, "3 rounds", true},
		"calls used up":         {true, false, 1, messages.Usage{ModelCalls: 9}, messages.KindGenerate, "9 model calls", false},
		"judging used them up":  {false, false, 1, messages.Usage{ModelCalls: 8}, messages.KindGenerate, "9 model calls", true},
		"tokens used up":        {true, false, 1, messages.Usage{PromptTokens: 60, CompletionTokens: 40}, messages.KindGenerate, "token budget", false},
		"off, before the last":  {true, true, 2, messages.Usage{}, messages.KindDecompose, "", false},
		"off, in the last":      {false, true, 3, messages.Usage{}, messages.KindGenerate, "", false},
		"off, calls used up":    {false, true, 1, messages.Usage{ModelCalls: 12}, messages.KindGenerate, "12 model calls", false},
		"one call but no round": {false, false, 3, messages.Usage{ModelCalls: 8}, messages.KindGenerate, "3 rounds", true},
	} {
		asked := false
		e := &roles.Set{EnoughFunc: func(ctx context.Context, _ string, _ []messages.Pair) (bool, error) {
			asked = true
			return c.enough, meter.From(ctx).Call()
		}}
		in := joined(c.round, c.used)
		ctx, _ := meter.With(t.Context(), in.Remaining())
		out, err := judge.New(e, judge.Options{Off: c.off}).Handle(ctx, in)
		if err != nil || len(out) != 1 {
			t.Errorf("%s: %v, %v", name, out, err)
			continue
		}
		if out[0].Kind() != c.kind || asked != c.asked {
			t.Errorf("%s: %s, asked %v", name, out[0].Kind(), asked)
		}
		switch m := out[0].(type) {
		case *messages.Generate:
			if c.cut == "" && m.Cut != "" || !strings.Contains(m.Cut, c.cut) || m.Branch != 0 {
				t.Errorf("%s: cut %q", name, m.Cut)
			}
		case *messages.Decompose:
			if m.Round != c.round+1 {
				t.Errorf("%s: round %d", name, m.Round)
			}
		}
	}
}

func TestEngineFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	e := &roles.Set{EnoughFunc: func(context.Context, string, []messages.Pair) (bool, error) { return false, broken }}
	if _, err := judge.New(e, judge.Options{}).Handle(t.Context(), joined(1, messages.Usage{})); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestPlanEndsWithItsParts holds that a plan is judged by its parts, and that
// no engine is asked.
func TestPlanEndsWithItsParts(t *testing.T) {
	t.Parallel()
	one := messages.Pair{Round: 1, Branch: 1, Part: 1, Question: "a?", Answer: "x"}
	two := messages.Pair{Round: 2, Branch: 1, Part: 2, Question: "b of x?", Answer: "y"}
	open := two
	open.Answer = ""
	for name, c := range map[string]struct {
		pairs []messages.Pair
		round int
		kind  messages.Kind
		cut   string
	}{
		"a part is left":         {[]messages.Pair{one}, 1, messages.KindDecompose, ""},
		"all are answered":       {[]messages.Pair{one, two}, 2, messages.KindGenerate, ""},
		"one found nothing":      {[]messages.Pair{one, open}, 2, messages.KindDecompose, ""},
		"answered when repeated": {[]messages.Pair{one, open, two}, 3, messages.KindGenerate, ""},
		"no round for the rest":  {[]messages.Pair{one}, 3, messages.KindGenerate, "3 rounds"},
	} {
		e := &roles.Set{EnoughFunc: func(context.Context, string, []messages.Pair) (bool, error) { panic("asked") }}
		in := joined(c.round, messages.Usage{})
		in.Strategy, in.Parts, in.Pairs = messages.Planned, []string{"a?", "b of $1?"}, c.pairs
		ctx, _ := meter.With(t.Context(), in.Remaining())
		out, err := judge.New(e, judge.Options{Off: true}).Handle(ctx, in)
		if err != nil || len(out) != 1 || out[0].Kind() != c.kind {
			t.Errorf("%s: %v, %v", name, out, err)
			continue
		}
		if g, ok := out[0].(*messages.Generate); ok && !strings.Contains(g.Cut, c.cut) {
			t.Errorf("%s: %q", name, g.Cut)
		}
	}
}

// TestNoTimeForAnotherRound holds that rounds end when the question's time does
// not suffice for another, whatever the judge would say of what was found.
func TestNoTimeForAnotherRound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		taken  time.Duration // by two rounds, of four minutes
		enough bool
		kind   messages.Kind
		cut    string
	}{
		"time enough":               {time.Minute, false, messages.KindDecompose, ""},
		"for most of a round":       {130 * time.Second, false, messages.KindDecompose, ""},
		"too little":                {150 * time.Second, false, messages.KindGenerate, meter.NoRound},
		"too little, and enough":    {150 * time.Second, true, messages.KindGenerate, ""},
		"in the final answer's own": {200 * time.Second, false, messages.KindGenerate, meter.NoRound},
	} {
		in := joined(2, messages.Usage{})
		in.Asked = time.Now().Add(-c.taken)
		in.Deadline = in.Asked.Add(4 * time.Minute)
		e := &roles.Set{EnoughFunc: func(context.Context, string, []messages.Pair) (bool, error) { return c.enough, nil }}
		out, err := judge.New(e, judge.Options{}).Handle(t.Context(), in)
		if err != nil || len(out) != 1 || out[0].Kind() != c.kind {
			t.Errorf("%s: %v, %v", name, out, err)
			continue
		}
		if g, ok := out[0].(*messages.Generate); ok && g.Cut != c.cut {
			t.Errorf("%s: cut %q", name, g.Cut)
		}
	}
}
