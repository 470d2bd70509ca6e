package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Verify tells whether passages hold what is needed to answer query
// (LevelRAG). Those that do not fit the context are left out. Without passages the
// answer is no, and no model is asked.
func (e *engine) Verify(ctx context.Context, query string, found []messages.Passage) (bool, error) {
	if len(found) == 0 {
		return false, nil
	}
	return value(ask(ctx, e, roles.Verifier, "verify", prompts.Data{Question: query, Passages: pages(found)}, verdict("sufficient")))
}
