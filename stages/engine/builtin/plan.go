package builtin

import (
	"context"
	"strings"

	"hopstream/messages"
)

// Plan takes a complex question apart (MGA-RAG's decoupling): the steps of the
// parsed question, where one that needs another's answer names it as $1, $2,
// …. The two sides of a comparison are asked independently; no part compares
// them, which Synthesize does. A question that cannot be taken apart is
// its only part. The only error is the context's.
func (e *engine) Plan(ctx context.Context, question string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion {
		return nil, nil
	}
	if parts := e.plans.Of(question).Parts(); parts != nil {
		return parts, nil
	}
	return []string{question}, nil
}
