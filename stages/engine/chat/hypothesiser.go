package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var statementsSchema = textList("statements", 1, messages.MaxBranches)

// Hypothesise states plausible answers, one fact each (MuISQA's hypothetical
// queries).
func (e *Engine) Hypothesise(ctx context.Context, question string) ([]string, error) {
	a, err := ask(ctx, e, Hypothesiser, model.Question[[]string]{
		Schema: statementsSchema, MaxTokens: listTokens, Key: "statements",
		Messages: func(int) []model.Message { return turns(prompts.HypothesiseInput{Question: question}.Prompt()) },
		Read: func(o model.Object, _ int) ([]string, error) {
			return plainTexts(o, "statements", messages.MaxBranches, messages.MaxQuestion)
		},
	}, func() ([]string, error) { return e.opts.Fallback.Hypothesise(ctx, question) })
	return a.Value, err
}
