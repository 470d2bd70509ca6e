package chat

import (
	"cmp"
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
	"hopstream/stages/meter"
)

// Options adjust an engine.
type Options struct {
	// PerPassage judges relevance in one call per passage instead of one for
	// all: HANRAG's way, surer and dearer.
	PerPassage bool
	// NoFallback lets a sub-query fail where a model's reply cannot be used, with
	// a *model.ReplyError, or does not come in time, with meter.ErrLate; else base
	// answers it, and the delivery's meter notes what was given up.
	NoFallback bool
	Observe    model.Observer // nobody
}

// New returns an engine that asks models[role] what is asked of a role, and
// base what is asked of a role without a model.
func New(base *roles.Set, models map[roles.Role]*model.Model, o Options) *roles.Set {
	set, e := *base, &engine{models, o.PerPassage}
	for _, row := range roles.Table() {
		unusable := func(ctx context.Context, err error) bool {
			_, ok := errors.AsType[*model.ReplyError](err)
			// A stage has to go on with something when its time is over; a searcher
			// returns what it has found.
			ok = ok || errors.Is(err, meter.ErrLate) && !row.OfSearchers() && row.Role != roles.Embedder
			if !ok {
				return false
			}
			meter.From(ctx).GiveUp(string(row.Role), err)
			if o.Observe != nil {
				o.Observe.Event(string(row.Role), models[row.Role].Name(), model.Fallback, 1)
			}
			return true
		}
		switch {
		case models[row.Role] == nil:
		case o.NoFallback:
			row.Take(&set, e)
		default:
			row.TakeOr(&set, e, base, unusable)
		}
	}
	if o.PerPassage && models[roles.Relevance] != nil {
		set.RelevantFunc = oneByOne(set.RelevantFunc)
	}
	return &set
}

// engine asks models. It is safe for concurrent use.
type engine struct {
	models     map[roles.Role]*model.Model
	perPassage bool
}

// ask asks the role's model a prompt. If it does not fit the context, passages or
// answers are left out from the lowest rank. It fails as model.Ask does, and if
// the role has no model.
func ask[T any](ctx context.Context, e *engine, role roles.Role, prompt string, d prompts.Data, f form[T]) (model.Answer[T], error) {
	m := e.models[role]
	if m == nil {
		return model.Answer[T]{}, fault.Permanentf("no model is configured for role %s", role)
	}
	return model.Ask(ctx, m, model.Question[T]{
		Role: string(role), Schema: f.schema, MaxTokens: f.tokens, Key: f.key, Read: f.read,
		Items: cmp.Or(len(d.Passages), len(d.Answers)), // beside passages, all answers are shown
		Messages: func(n int) []model.Message {
			best := d
			if len(d.Passages) > 0 {
				best.Passages = d.Passages[:min(n, len(d.Passages))]
			} else {
				best.Answers = d.Answers[:min(n, len(d.Answers))]
			}
			p := prompts.Render(prompt, best)
			return []model.Message{{Role: "system", Text: p.System}, {Role: "user", Text: p.User}}
		},
	})
}

// value returns an answer's value alone.
func value[T any](a model.Answer[T], err error) (T, error) { return a.Value, err }

// rated returns a finding with the model's confidence in its text.
func rated(a model.Answer[messages.Finding], err error) (messages.Finding, error) {
	if err == nil && a.Value.Text != "" {
		a.Value.Confidence = a.Reply.Confidence(a.Value.Text)
	}
	return a.Value, err
}

// found are the pairs as a prompt shows them.
func found(pairs []messages.Pair) []prompts.Pair {
	out := make([]prompts.Pair, len(pairs))
	for i, p := range pairs {
		out[i].Question = p.Question
		if !p.Open() {
			out[i].Answer = p.Answer
		}
	}
	return out
}

// pages are passages as a prompt shows them.
func pages(passages []messages.Passage) []prompts.Passage {
	out := make([]prompts.Passage, len(passages))
	for i, p := range passages {
		out[i] = prompts.Passage{Title: p.Title, Heading: p.Heading, Text: p.Text}
	}
	return out
}

// windowed are windows as a prompt shows them.
func windowed(windows []messages.Window) []prompts.Passage {
	out := make([]prompts.Passage, len(windows))
	for i, w := range windows {
		out[i] = prompts.Passage{Title: w.Title, Heading: w.Heading, Text: w.Text}
	}
	return out
}
