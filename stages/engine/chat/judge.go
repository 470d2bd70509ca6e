package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var enoughSchema = schema("enough", `{"type":"boolean"}`)

// Enough is HANRAG's ending judge: do the pairs suffice for an answer? While
// nothing at all was found they do not, and no model is asked.
func (e *Engine) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if !anyFound(pairs) {
		return false, nil
	}
	a, err := ask(ctx, e, Judge, model.Question[bool]{
		Schema: enoughSchema, MaxTokens: verdictTokens, Key: "enough",
		Messages: func(int) []model.Message {
			return turns(prompts.JudgeInput{Question: question, Pairs: found(pairs)}.Prompt())
		},
		Read: func(o model.Object, _ int) (bool, error) { return o.Bool("enough") },
	}, func() (bool, error) { return e.opts.Fallback.Enough(ctx, question, pairs) })
	return a.Value, err
}
