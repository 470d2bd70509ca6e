package chat

import (
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Synthesize writes the final answer from the sub-questions and their answers.
// It rests on what those do that the model names, and those that say the same,
// the later ones first. Without any answer there is nothing to write, and
// no model is asked.
func (e *engine) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	if !anyFound(pairs) {
		return messages.Finding{}, nil
	}
	a, err := ask(ctx, e, roles.Synthesis, "synthesis", prompts.Data{Question: question, Pairs: found(pairs)}, composing("findings", len(pairs)))
	if err != nil || a.Value.text == "" {
		return messages.Finding{}, err
	}
	last := len(pairs) - 1
	known := make([]messages.Finding, len(pairs)) // the later ones first
	for i := range pairs {
		if p := &pairs[last-i]; !p.Open() {
			known[i] = messages.Finding{Text: p.Answer, Sources: p.Sources, Claims: p.Claims, Evidence: p.Evidence}
		}
	}
	f := resting(a.Value.text, known, func(i int) bool { return slices.Contains(a.Value.from, last-i+1) })
	f.Confidence = a.Reply.Confidence(f.Text)
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
		out = append(out, messages.Claim{Text: p.Answer, Citations: p.Sources, Evidence: p.Evidence})
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
