package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Hypothesise makes up plausible answers, a text each (MuISQA).
func (e *engine) Hypothesise(ctx context.Context, question string) ([]string, error) {
	return value(ask(ctx, e, roles.Hypothesiser, "hypothesise", prompts.Data{Question: question},
		texts("answers", maxHypotheses, messages.MaxQuestion, longListTokens)))
}

// maxHypotheses bounds the answers that are made up.
const maxHypotheses = 8
