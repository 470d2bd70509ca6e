package chat

import (
	"context"
	"errors"
	"fmt"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Plan takes a complex question apart into sub-questions, where $1 stands for
// the answer of the first (MGA-RAG's self-correcting decoupling).
func (e *Engine) Plan(ctx context.Context, question string) ([]string, error) {
	a, err := ask(ctx, e, Planner, model.Question[[]string]{
		Schema: textList("questions", 1, messages.MaxParts), MaxTokens: listTokens, Key: "questions",
		Messages: func(int) []model.Message { return turns(prompts.PlannerInput{Question: question}.Prompt()) },
		Read: func(o model.Object, _ int) ([]string, error) {
			parts, err := readParts(o, question)
			if err == nil && len(parts) == 0 {
				err = errors.New(`"questions" is empty`)
			}
			return parts, err
		},
	}, func() ([]string, error) { return e.opts.Fallback.Plan(ctx, question) })
	return a.Value, err
}

// readParts reads a plan, which may be empty.
func readParts(o model.Object, question string) ([]string, error) {
	parts, err := o.Texts("questions", messages.MaxParts+1, messages.MaxQuestion)
	if err != nil {
		return nil, err
	}
	if len(parts) > messages.MaxParts { // cut short, it would not answer the question
		return nil, fmt.Errorf(`"questions" has more than %d`, messages.MaxParts)
	}
	kept := parts[:0]
	for _, p := range parts {
		if p = unlessNone(prompts.Plain(p)); p != "" {
			kept = append(kept, p)
		}
	}
	return sound(kept, question), nil
}
