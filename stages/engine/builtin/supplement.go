package builtin

import (
	"context"
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
	p := e.plans.Of(question)
	if open := p.Open(pairs); len(open) > 0 {
		return open, nil
	}
	if next := p.Next(pairs); next != "" {
		return []string{next}, nil
	}
	return nil, nil
}
