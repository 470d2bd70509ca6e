package runner_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/meter"
)

// meteredEngine is an engine each of whose answers takes one model call and
// ten tokens. It counts the calls that were granted.
func meteredEngine(granted *atomic.Int64) *scripted.Engine {
	e, plain := fullEngine(), fullEngine()
	call := func(ctx context.Context) error {
		m := meter.From(ctx)
		if err := m.Call(); err != nil {
			return err
		}
		granted.Add(1)
		m.Spend(messages.RoleUsage{Role: "any", Calls: 1, PromptTokens: 8, CompletionTokens: 2})
		return nil
	}
	e.ClassifyFunc = func(ctx context.Context, q string) (messages.Class, error) {
		if err := call(ctx); err != nil {
			return "", err
		}
		return plain.Classify(ctx, q)
	}
	e.SplitFunc = func(ctx context.Context, q string) ([]string, error) {
		if err := call(ctx); err != nil {
			return nil, err
		}
		var out []string
		for i := range 20 {
			out = append(out, fmt.Sprintf("%s %d", q, i))
		}
		return out, nil
	}
	e.RefineFunc = func(ctx context.Context, q string, pairs []messages.Pair) (string, error) {
		if err := call(ctx); err != nil {
			return "", err
		}
		return plain.Refine(ctx, q, pairs)
	}
	e.RelevantFunc = func(ctx context.Context, q string, ps []messages.Passage) ([]bool, error) {
		if err := call(ctx); err != nil {
			return nil, err
		}
		return plain.Relevant(ctx, q, ps)
	}
	e.AnswerFunc = func(ctx context.Context, q string, ws []messages.Window) (messages.Finding, error) {
		if err := call(ctx); err != nil {
			return messages.Finding{}, err
		}
		return plain.Answer(ctx, q, ws)
	}
	e.FuseFunc = func(ctx context.Context, q string, fs []messages.Finding, _ []messages.Passage) (messages.Finding, error) {
		if err := call(ctx); err != nil {
			return messages.Finding{}, err
		}
		return fs[0], nil
	}
	e.SynthesizeFunc = func(ctx context.Context, q string, c messages.Class, pairs []messages.Pair) (messages.Finding, error) {
		if err := call(ctx); err != nil {
			return messages.Finding{}, err
		}
		return plain.Synthesize(ctx, q, c, pairs)
	}
	e.EnoughFunc = func(ctx context.Context, q string, pairs []messages.Pair) (bool, error) {
		return false, call(ctx)
	}
	return e
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		question    string
		budget      messages.Budget
		status      messages.Status
		steps, hops int // -1: any
		reason      string
	}{
		"rounds":                {"complex one", messages.Budget{Rounds: 3}, messages.Partial, 3, 3, "3 rounds"},
		"branches":              {"compound one", messages.Budget{Branches: 2}, messages.Answered, 1, 2, ""},
		"calls, complex":        {"complex one", messages.Budget{ModelCalls: 19}, messages.Partial, -1, -1, "18 model calls"},
		"calls, some branches":  {"compound one", messages.Budget{ModelCalls: 8}, messages.Failed, 1, 8, "budget: no model calls left"},
		"calls, enough":         {"compound one", messages.Budget{ModelCalls: 18, Branches: 3}, messages.Answered, 1, 3, ""},
		"calls, single":         {"single one", messages.Budget{ModelCalls: 2}, messages.Failed, 1, 1, "budget: no model calls left"},
		"one call":              {"complex one", messages.Budget{ModelCalls: 1}, messages.Failed, 0, 0, "budget: no model calls left"},
		"tokens":                {"complex one", messages.Budget{Tokens: 120}, messages.Partial, -1, -1, "token budget"},
		"asked beyond defaults": {"complex one", messages.Budget{Rounds: 7}, messages.Partial, 7, 7, "7 rounds"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var granted atomic.Int64
			r := newRig(t, meteredEngine(&granted), options())
			a := r.ask(t, messages.Question{ID: "q", Question: c.question, Budget: c.budget})
			r.verify(t, "q")
			if a.Status != c.status || !strings.Contains(a.Error, c.reason) || c.steps >= 0 && (a.Steps != c.steps || len(a.Hops) != c.hops) {
				t.Errorf("%s after %d steps and %d hops: %q", a.Status, a.Steps, len(a.Hops), a.Error)
			}
			if most := c.budget.Or(messages.DefaultBudget()); int(granted.Load()) > most.ModelCalls || a.Usage.ModelCalls > most.ModelCalls {
				t.Errorf("%d calls granted, %+v used, of %d", granted.Load(), a.Usage, most.ModelCalls)
			}
			if a.Usage.ModelCalls != int(granted.Load()) || a.Usage.PromptTokens != 8*a.Usage.ModelCalls || a.Usage.CompletionTokens != 2*a.Usage.ModelCalls {
				t.Errorf("%d calls granted, %+v told", granted.Load(), a.Usage)
			}
			if n := len(r.letters(t)); n != 0 {
				t.Errorf("a budget used up became %d dead letters", n)
			}
		})
	}
}

// TestGreedyHandler holds that a handler which calls until it is refused gets
// what remains, and that the answer tells it.
func TestGreedyHandler(t *testing.T) {
	t.Parallel()
	var granted atomic.Int64
	e := meteredEngine(&granted)
	e.SynthesizeFunc = func(ctx context.Context, _ string, _ messages.Class, _ []messages.Pair) (messages.Finding, error) {
		for {
			if err := meter.From(ctx).Call(); err != nil {
				return messages.Finding{}, err
			}
			granted.Add(1)
		}
	}
	r := newRig(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "compound one", Budget: messages.Budget{ModelCalls: 40, Branches: 2}})
	r.verify(t, "q")
	if a.Status != messages.Failed || granted.Load() != 40 || a.Usage.ModelCalls != 40 {
		t.Errorf("%d calls granted: %+v", granted.Load(), a)
	}
}
