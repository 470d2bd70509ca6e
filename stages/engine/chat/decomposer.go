package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var decomposerSchema = textList("questions", 1, messages.MaxBranches)

// Split cuts a compound question into independent sub-questions.
func (e *Engine) Split(ctx context.Context, question string) ([]string, error) {
	a, err := ask(ctx, e, Decomposer, model.Question[[]string]{
		Schema: decomposerSchema, MaxTokens: listTokens, Key: "questions",
		Messages: func(int) []model.Message { return turns(prompts.DecomposerInput{Question: question}.Prompt()) },
		Read: func(o model.Object, _ int) ([]string, error) {
			parts, err := o.Texts("questions", messages.MaxBranches, messages.MaxQuestion)
			if err == nil && len(parts) == 0 {
				err = errors.New(`"questions" is empty`)
			}
			for i := range parts {
				parts[i] = prompts.Plain(parts[i])
			}
			return parts, err
		},
	}, func() ([]string, error) { return e.opts.Fallback.Split(ctx, question) })
	return a.Value, err
}
