package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Direct answers without documents; an empty text says that the model does not
// know, and the question then goes to retrieval.
func (e *engine) Direct(ctx context.Context, question string) (messages.Finding, error) {
	return rated(ask(ctx, e, roles.Direct, "direct", prompts.Data{Question: question}, finding()))
}
