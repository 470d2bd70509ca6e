package aggregator_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"hopstream/messages"
	"hopstream/stages/aggregator"
)

type branches func(in *messages.Subanswer) ([]*messages.Subanswer, error)

func (b branches) Branches(_ context.Context, in *messages.Subanswer) ([]*messages.Subanswer, error) {
	return b(in)
}

func sub(class messages.Class, branch, of int) *messages.Subanswer {
	h := messages.Head{ID: "q", Class: class, Round: 2, Branch: branch, Branches: of, Question: "whole?",
		Base: messages.Usage{ModelCalls: 10, PromptTokens: 100, CompletionTokens: 1000,
			Roles: []messages.RoleUsage{{Role: "router", Calls: 10, PromptTokens: 100, CompletionTokens: 1000}}},
		Usage: messages.Usage{ModelCalls: 10 + branch, PromptTokens: 100 + 10*branch, CompletionTokens: 1000,
			Roles: []messages.RoleUsage{
				{Role: "answerer", Calls: branch, PromptTokens: 10 * branch},
				{Role: "router", Calls: 10, PromptTokens: 100, CompletionTokens: 1000},
			}},
		Pairs: []messages.Pair{{Round: 1, Branch: 1, Question: "before?"}}, Trace: "t"}
	return &messages.Subanswer{Head: h, Pair: messages.Pair{Round: 2, Branch: branch, Question: string(rune('a' + branch))}}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	round := []*messages.Subanswer{sub(messages.Compound, 3, 3), sub(messages.Compound, 1, 3), sub(messages.Compound, 2, 3)}
	h := aggregator.Join(round)
	var order []int
	for _, p := range h.Pairs[1:] {
		order = append(order, p.Branch)
	}
	if !slices.Equal(order, []int{1, 2, 3}) || h.Pairs[0].Question != "before?" {
		t.Errorf("pairs are %+v", h.Pairs)
	}
	if want := (messages.Usage{ModelCalls: 16, PromptTokens: 160, CompletionTokens: 1000, Roles: []messages.RoleUsage{
		{Role: "answerer", Calls: 6, PromptTokens: 60},
		{Role: "router", Calls: 10, PromptTokens: 100, CompletionTokens: 1000},
	}}); !reflect.DeepEqual(h.Usage, want) {
		t.Errorf("usage is %+v, want %+v", h.Usage, want)
	}
	if h.Branch != 0 || h.Branches != 0 || !h.Base.IsZero() || h.Round != 2 || h.ID != "q" {
		t.Errorf("head is %+v", h)
	}
	if len(round[0].Pairs) != 1 {
		t.Error("the sub-answer was changed")
	}
}

func TestHandle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		class  messages.Class
		of     int
		stored []int
		want   messages.Kind
	}{
		"compound, whole":      {messages.Compound, 2, []int{1, 2}, messages.KindGenerate},
		"compound, in part":    {messages.Compound, 2, []int{2}, ""},
		"complex, whole":       {messages.Complex, 2, []int{2, 1}, messages.KindJudge},
		"only branch, no read": {messages.Complex, 1, nil, messages.KindJudge},
	} {
		b := branches(func(in *messages.Subanswer) (out []*messages.Subanswer, err error) {
			if c.stored == nil {
				t.Errorf("%s: read", name)
			}
			for _, n := range c.stored {
				out = append(out, sub(c.class, n, c.of))
			}
			return out, nil
		})
		out, err := aggregator.New(b).Handle(t.Context(), sub(c.class, 1, c.of))
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			if len(out) != 0 {
				t.Errorf("%s: %v", name, out)
			}
			continue
		}
		if len(out) != 1 || out[0].Kind() != c.want || out[0].Validate() != nil && c.want == "" {
			t.Errorf("%s: %v", name, out)
		}
	}
}

func TestReadFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	b := branches(func(*messages.Subanswer) ([]*messages.Subanswer, error) { return nil, broken })
	if _, err := aggregator.New(b).Handle(t.Context(), sub(messages.Compound, 1, 2)); !errors.Is(err, broken) {
		t.Error(err)
	}
}
