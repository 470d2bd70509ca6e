package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var textSchema = schema("text", `{"type":"string"}`)

// PseudoDocument writes a passage as it could stand in the documents, from
// the query and what was found so far (LevelRAG). Passages that do not fit the
// context are not shown.
func (e *Engine) PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error) {
	shown := pages(found)
	a, err := ask(ctx, e, PseudoDocument, model.Question[string]{
		Schema: textSchema, MaxTokens: listTokens, Key: "text", Items: len(shown),
		Messages: func(n int) []model.Message {
			return turns(prompts.PseudoDocumentInput{Question: query, Passages: shown[:n]}.Prompt())
		},
		Read: func(o model.Object, _ int) (string, error) {
			text, err := o.Text("text", maxText)
			if text = unlessNone(prompts.Plain(text)); err == nil && text == "" {
				err = errors.New(`"text" is empty: write what the passage could say`)
			}
			return text, err
		},
	}, func() (string, error) { return e.opts.Fallback.PseudoDocument(ctx, query, found) })
	return a.Value, err
}
