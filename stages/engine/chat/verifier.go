package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var sufficientSchema = schema("sufficient", `{"type":"boolean"}`)

// Verify tells whether passages hold what is needed to answer query
// (LevelRAG). Those that do not fit the context are not looked at; no passages
// do not suffice, and no model is asked.
func (e *Engine) Verify(ctx context.Context, query string, found []messages.Passage) (bool, error) {
	if len(found) == 0 {
		return false, nil
	}
	shown := pages(found)
	a, err := ask(ctx, e, Verifier, model.Question[bool]{
		Schema: sufficientSchema, MaxTokens: verdictTokens, Key: "sufficient", Items: len(shown),
		Messages: func(n int) []model.Message {
			return turns(prompts.VerifyInput{Question: query, Passages: shown[:n]}.Prompt())
		},
		Read: func(o model.Object, _ int) (bool, error) { return o.Bool("sufficient") },
	}, func() (bool, error) { return e.opts.Fallback.Verify(ctx, query, found) })
	return a.Value, err
}
