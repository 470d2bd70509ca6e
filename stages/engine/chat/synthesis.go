package chat

import (
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Synthesize writes the final answer from the sub-questions and their answers.
// It rests on what those do that the model names, and those that say the same,
// the later ones first. Where several things are asked of each of several, its
// claims are records (MuISQA). Without any answer there is nothing to write, and no
// model is asked.
func (e *engine) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	if !anyFound(pairs) {
		return messages.Finding{}, nil
	}
	a, err := ask(ctx, e, roles.Synthesis, "synthesis", prompts.Data{Question: question, Pairs: found(pairs)}, synthesizing(pairs))
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
	if items := a.Value.items; len(items) > 0 {
		return asList(f, items), nil
	}
	if class != messages.Compound { // a compound question's claims are its sub-answers, see package generator
		f.Claims = supported(f.Text, claimed(pairs))
	}
	return f, nil
}

// synthesizing is the form of an answer made of those of pairs. One with items that
// have fields is a list of records, whatever its text; other items count for
// nothing: what they would say, the pairs' answers do.
func synthesizing(pairs []messages.Pair) form[composition] {
	const from = "findings"
	n := len(pairs)
	f := composing(from, n)
	f.schema = schema(from, numbers(n), "answer", aText, "items?", items(from, n))
	read := f.read
	f.read = func(o model.Object, shown int) (composition, error) {
		c, err := read(o, shown)
		records := readItems(o, from, n, func(numbers []int) messages.Claim { return supportOf(pairs, numbers) })
		if slices.ContainsFunc(records, func(c messages.Claim) bool { return len(c.Fields) > 0 }) {
			c.items, c.text, err = records, listed(records).Text, nil
		}
		return c, err
	}
	return f
}

// supportOf is a claim that rests on what the pairs of these numbers do.
func supportOf(pairs []messages.Pair, numbers []int) (c messages.Claim) {
	for _, n := range numbers {
		if p := &pairs[n-1]; !p.Open() {
			c.Citations = messages.AddSources(c.Citations, p.Sources...)
			c.Evidence = addEvidence(c.Evidence, p.Evidence...)
		}
	}
	return c
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
