package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Atomise takes a question apart into atomic queries (LevelRAG's decomposition).
func (e *engine) Atomise(ctx context.Context, question string) ([]string, error) {
	return value(ask(ctx, e, roles.Atomiser, "atomiser", prompts.Data{Question: question},
		texts("queries", maxQueries, messages.MaxQuestion, listTokens)))
}

// maxQueries bounds the atomic queries of one reply.
const maxQueries = 16
