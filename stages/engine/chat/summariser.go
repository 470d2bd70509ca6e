package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Summarise says in one sentence what windows tell about a query (LevelRAG).
// The sources are the windows that the model says it used, or else the first;
// an empty text means that they tell nothing.
func (e *Engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	shown := windowed(windows)
	a, err := ask(ctx, e, Summariser, model.Question[messages.Finding]{
		Schema:    schema("passages", numbers(len(windows)), "summary", `{"type":"string"}`),
		MaxTokens: answerTokens, Key: "summary", Items: len(windows),
		Messages: func(n int) []model.Message {
			return turns(prompts.SummariserInput{Question: query, Passages: shown[:n]}.Prompt())
		},
		Read: func(o model.Object, n int) (f messages.Finding, err error) {
			if f.Text, err = o.Text("summary", maxText); err != nil {
				return f, err
			}
			if f.Text = unlessNone(prompts.Plain(f.Text)); f.Text != "" {
				used, _ := o.Numbers("passages", n) // a summary without numbers is one all the same
				f.Sources = cited(windows, used)
			}
			return f, nil
		},
	}, func() (messages.Finding, error) { return e.opts.Fallback.Summarise(ctx, query, windows) })
	f := a.Value
	if err == nil && a.Reply != nil && f.Text != "" {
		f.Confidence = a.Reply.Confidence(f.Text)
	}
	return f, err
}
