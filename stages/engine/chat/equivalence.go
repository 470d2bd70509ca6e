package chat

import (
	"context"

	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var sameSchema = schema("same", `{"type":"boolean"}`)

// Equivalent tells whether a prediction means the same as one of the right
// answers (MGA-RAG's accuracy). One that says it in the same words needs no
// model, and neither does one that is empty or has nothing to be compared with.
func (e *Engine) Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error) {
	key := fold(prediction)
	if key == "" || len(golds) == 0 {
		return false, nil
	}
	for _, g := range golds {
		if fold(g) == key {
			return true, nil
		}
	}
	a, err := ask(ctx, e, Equivalence, model.Question[bool]{
		Schema: sameSchema, MaxTokens: verdictTokens, Key: "same", Items: len(golds),
		Messages: func(n int) []model.Message {
			return turns(prompts.EquivalenceInput{Question: question, Golds: golds[:n], Prediction: prediction}.Prompt())
		},
		Read: func(o model.Object, _ int) (bool, error) { return o.Bool("same") },
	}, func() (bool, error) { return e.opts.Fallback.Equivalent(ctx, question, prediction, golds) })
	return a.Value, err
}
