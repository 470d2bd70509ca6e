package builtin

import (
	"context"
	"strconv"
	"strings"

	"hopstream/messages"
)

// Plan takes a complex question apart (MGA-RAG): the steps of the parsed
// question, where one that needs another's answer names it as $1, $2, …. The
// only error is the context's.
func (e *Engine) Plan(ctx context.Context, question string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion {
		return nil, nil
	}
	p := planOf(question)
	if len(p.steps) < 2 {
		return []string{question}, nil
	}
	slots := make([]string, len(p.steps))
	for i := range slots {
		slots[i] = "$" + strconv.Itoa(i+1)
	}
	parts := make([]string, len(p.steps))
	for i := range parts {
		parts[i] = p.render(i, slots, question)
	}
	return parts, nil
}

// Revise returns the plan as it is: it comes from the same parse. One that
// cannot be followed has no better. The only error is the context's.
func (e *Engine) Revise(ctx context.Context, _ string, plan []string, _ []messages.Pair, problem string) ([]string, error) {
	if problem != "" {
		return nil, ctx.Err()
	}
	return plan, ctx.Err()
}

// Supplement returns the next question of the parsed plan. The only error is
// the context's.
func (e *Engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	next, err := e.Refine(ctx, question, pairs)
	if next == "" || err != nil {
		return nil, err
	}
	return []string{next}, nil
}

// Summarise answers the query: the shortest summary is the answer itself.
func (e *Engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	return e.Answer(ctx, query, windows)
}
