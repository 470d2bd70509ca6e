package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Statements splits plausible answers into statements of one fact each, one for
// every intent of the question (MuISQA's element splitting). Without answers
// there is nothing to split, and no model is asked.
func (e *engine) Statements(ctx context.Context, question string, answers []string) ([]string, error) {
	if len(answers) == 0 {
		return nil, nil
	}
	return value(ask(ctx, e, roles.Statements, "statements", prompts.Data{Question: question, Answers: answers},
		texts("statements", messages.MaxQueries, messages.MaxQuestion, longListTokens)))
}
