package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Summarise says in one sentence what windows tell about a query (LevelRAG).
// The sources are the windows that the model says it used, or else the first;
// an empty text means that they tell nothing.
func (e *engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	return rated(ask(ctx, e, roles.Summariser, "summariser", prompts.Data{Question: query, Passages: windowed(windows)},
		form[messages.Finding]{"summary", schema("passages", numbers(len(windows)), "summary", aText), answerTokens, func(o model.Object, n int) (f messages.Finding, err error) {
			if f.Text, err = o.Text("summary", maxText); err != nil {
				return f, err
			}
			if f.Text = unlessNone(prompts.Plain(f.Text)); f.Text != "" {
				used, _ := o.Numbers("passages", n) // the numbers may be missing
				f.Sources = cited(windows, used)
			}
			return f, nil
		}}))
}
