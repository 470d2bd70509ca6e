package chat

import (
	"context"

	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Equivalent tells whether a prediction means the same as one of the right
// answers (MGA-RAG's accuracy). One that says it in the same words needs no
// model, and neither does one that is empty or has nothing to be compared with.
func (e *engine) Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error) {
	key := fold(prediction)
	if key == "" || len(golds) == 0 {
		return false, nil
	}
	for _, g := range golds {
		if fold(g) == key {
			return true, nil
		}
	}
	return value(ask(ctx, e, roles.Equivalence, "equivalence",
		prompts.Data{Question: question, Answers: golds, Prediction: prediction}, verdict("same")))
}
