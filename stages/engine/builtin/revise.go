package builtin

import (
	"context"
	"strings"

	"hopstream/messages"
)

// Revise looks a plan over (MGA-RAG's reviser) and returns it, or a better one:
// without the parts that repeat another, restate the question or are of no
// use, and taken apart otherwise where a part says too little to search for or
// a name of the question got lost on the way (faults.go).
//
// A problem says that the plan led nowhere: then the part that found no answer
// is asked for in fewer words, or described where it was named. Without a
// question that was not asked in vain before there is no better plan, and nil
// is returned. The only error is the context's.
func (e *engine) Revise(ctx context.Context, question string, parts []string, pairs []messages.Pair, problem string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion {
		return parts, nil
	}
	if problem != "" {
		return e.plans.Replan(question, parts, e.short(pairs)), nil
	}
	return e.plans.Revise(question, parts), nil
}
