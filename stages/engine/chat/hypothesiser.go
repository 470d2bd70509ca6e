package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Hypothesise states plausible answers, one fact each (MuISQA's hypothetical
// queries).
func (e *engine) Hypothesise(ctx context.Context, question string) ([]string, error) {
	return value(ask(ctx, e, roles.Hypothesiser, "hypothesise", prompts.Data{Question: question},
		texts("statements", messages.MaxBranches, messages.MaxQuestion)))
}
