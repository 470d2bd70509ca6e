package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// PseudoDocument writes a passage as it could stand in the documents, from
// the query and what was found so far (LevelRAG). Passages that do not fit the
// context are not shown.
func (e *engine) PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error) {
	f := text("text", maxText, listTokens)
	f.read = func(o model.Object, _ int) (string, error) {
		text, err := o.Text("text", maxText)
		if text = unlessNone(prompts.Plain(text)); err == nil && text == "" {
			err = errors.New(`"text" is empty: write what the passage could say`)
		}
		return text, err
	}
	return value(ask(ctx, e, roles.PseudoDocument, "pseudo_document", prompts.Data{Question: query, Passages: pages(found)}, f))
}
