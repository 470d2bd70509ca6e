package builtin

import (
	"context"
	"slices"
	"strings"

	"hopstream/messages"
)

// Atomise returns the queries to begin with: what Supplement returns where
// nothing was asked yet. The only error is the context's.
func (e *engine) Atomise(ctx context.Context, question string) ([]string, error) {
	return e.Supplement(ctx, question, nil)
}

// Complete is Enough: a summary is an answer. The only error is the context's.
func (e *engine) Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	return e.Enough(ctx, question, pairs)
}

// Supplement returns the atomic queries that are missing, given the pairs so
// far (LevelRAG): every step of the parsed question that was not asked yet and
// needs no answer that is still to come, all at once. Without pairs these are
// the queries to begin with, such as both sides of a comparison. What was asked
// in vain is described instead of named; when the steps end without an answer,
// the question is asked as it stands, once. Nothing is missing, and nil
// returned, when the steps are answered. The only error is the context's.
func (e *engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion || len(pairs) >= maxPairs {
		return nil, nil
	}
	pairs = e.short(pairs)
	p := planOf(question)
	if open := p.open(question, pairs); len(open) > 0 {
		return open, nil
	}
	if next := p.next(question, pairs); next != "" {
		return []string{next}, nil
	}
	return nil, nil
}

// open returns the questions of all steps that can be asked now and were not.
func (p *plan) open(question string, pairs []messages.Pair) []string {
	var out []string
	answers, asked := make([]string, len(p.steps)), make([]bool, len(p.steps))
	for i := range p.steps {
		ready := true
		for _, slot := range p.needs(i) {
			ready = ready && asked[slot-1]
		}
		if !ready {
			continue
		}
		text := p.render(i, answers, question)
		if pair := askedPair(text, pairs); pair != nil {
			asked[i], answers[i] = true, answerOf(pair)
		} else if len(text) <= messages.MaxQuestion && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
