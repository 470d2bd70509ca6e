package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Refine writes HANRAG's next seed question, from what was found so far; empty
// means that nothing is left to ask.
func (e *engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	return value(ask(ctx, e, roles.Refiner, "refiner", prompts.Data{Question: question, Pairs: found(pairs)},
		text("question", messages.MaxQuestion, listTokens)))
}
