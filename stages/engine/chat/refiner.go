package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var refinerSchema = schema("question", `{"type":"string"}`)

// Refine writes HANRAG's next seed question, from what was found so far; empty
// means that nothing is left to ask.
func (e *Engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	a, err := ask(ctx, e, Refiner, model.Question[string]{
		Schema: refinerSchema, MaxTokens: listTokens, Key: "question",
		Messages: func(int) []model.Message {
			return turns(prompts.RefinerInput{Question: question, Pairs: found(pairs)}.Prompt())
		},
		Read: func(o model.Object, _ int) (string, error) {
			next, err := o.Text("question", messages.MaxQuestion)
			return prompts.Plain(next), err
		},
	}, func() (string, error) { return e.opts.Fallback.Refine(ctx, question, pairs) })
	return a.Value, err
}
