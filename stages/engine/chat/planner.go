package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Plan takes a complex question apart into sub-questions, where $1 stands for
// the answer of the first (MGA-RAG's self-correcting decoupling).
func (e *engine) Plan(ctx context.Context, question string) ([]string, error) {
	return value(ask(ctx, e, roles.Planner, "planner", prompts.Data{Question: question},
		form[[]string]{"questions", textList("questions", 1, messages.MaxParts), listTokens, func(o model.Object, _ int) ([]string, error) {
			parts, err := readParts(o, question)
			if err == nil && len(parts) == 0 {
				err = errors.New(`"questions" is empty`)
			}
			return parts, err
		}}))
}

// readParts reads a plan, which may be empty.
func readParts(o model.Object, question string) ([]string, error) {
	parts, err := o.Texts("questions", messages.MaxParts+1, messages.MaxQuestion)
	if err != nil {
		return nil, err
	}
	if len(parts) > messages.MaxParts { // without its last parts, a plan would not answer the question
		return nil, fmt.Errorf(`"questions" has more than %d`, messages.MaxParts)
	}
	kept := parts[:0]
	for _, p := range parts {
		if p = unlessNone(prompts.Plain(p)); p != "" {
			kept = append(kept, p)
		}
	}
	var out []string
	for _, p := range subquestion.Normalize(kept, question) {
		if p = strings.TrimSpace(p); p != "" && len(p) <= messages.MaxQuestion {
			out = append(out, p)
		}
	}
	return out, nil
}
