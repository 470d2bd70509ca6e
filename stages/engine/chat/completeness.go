package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Complete tells whether the summaries of what was found suffice to answer the
// question (LevelRAG's verification).
func (e *engine) Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	return value(ask(ctx, e, roles.Completeness, "completeness", prompts.Data{Question: question, Pairs: found(pairs)}, verdict("complete")))
}
