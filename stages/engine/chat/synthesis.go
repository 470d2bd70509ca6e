package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Synthesize writes the final answer from the sub-questions and their answers.
// Without any answer there is nothing to write, and no model is asked.
func (e *engine) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	f := messages.Finding{}
	for i := len(pairs) - 1; i >= 0; i-- { // sources of later answers come first
		if !pairs[i].Open() {
			f.Sources = messages.AddSources(f.Sources, pairs[i].Sources...)
		}
	}
	if !anyFound(pairs) {
		return messages.Finding{}, nil
	}
	a, err := ask(ctx, e, roles.Synthesis, "synthesis", prompts.Data{Question: question, Pairs: found(pairs)}, finding())
	if err != nil || a.Value.Text == "" {
		return a.Value, err
	}
	f.Text, f.Confidence = a.Value.Text, a.Reply.Confidence(a.Value.Text)
	if class != messages.Compound { // a compound question's claims are its sub-answers, see package generator
		f.Claims = supported(f.Text, claimed(pairs))
	}
	return f, nil
}

// claimed are the answers of pairs, and the items of those that are lists.
func claimed(pairs []messages.Pair) []messages.Claim {
	var out []messages.Claim
	for i := range pairs {
		p := &pairs[i]
		if p.Open() {
			continue
		}
		out = append(out, messages.Claim{Text: p.Answer, Citations: p.Sources})
		out = append(out, p.Claims...)
	}
	return out
}

func anyFound(pairs []messages.Pair) bool {
	for i := range pairs {
		if !pairs[i].Open() {
			return true
		}
	}
	return false
}
