package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Split cuts a compound question into independent sub-questions.
func (e *engine) Split(ctx context.Context, question string) ([]string, error) {
	return value(ask(ctx, e, roles.Decomposer, "decomposer", prompts.Data{Question: question},
		texts("questions", messages.MaxBranches, messages.MaxQuestion, listTokens)))
}
