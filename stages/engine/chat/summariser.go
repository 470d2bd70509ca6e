package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Summarise says in one sentence what windows tell about a query (LevelRAG), or
// in as many as a how or why takes. An empty text means that they tell nothing.
// For what it rests on see readSupport.
func (e *engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	n := len(windows)
	return rated(ask(ctx, e, roles.Summariser, "summariser", prompts.Data{Question: query, Passages: windowed(windows)},
		form[messages.Finding]{"summary", schema("quotes", quotes(n), "summary", aText, "passages", numbers(n)), answerTokens, func(o model.Object, n int) (f messages.Finding, err error) {
			text, err := o.Lines("summary", maxText)
			if f.Text = unlessNone(prompts.Plain(text)); f.Text != "" {
				f.Sources, f.Evidence = readSupport(o, windows[:n])
			}
			return f, err
		}}))
}
