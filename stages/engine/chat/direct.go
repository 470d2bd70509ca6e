package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Direct answers without documents; an empty text says that the model does not
// know, and the question then goes to retrieval.
func (e *Engine) Direct(ctx context.Context, question string) (messages.Finding, error) {
	a, err := ask(ctx, e, Direct, model.Question[messages.Finding]{
		Schema: answerSchema, MaxTokens: answerTokens, Key: "answer",
		Messages: func(int) []model.Message { return turns(prompts.DirectInput{Question: question}.Prompt()) },
		Read: func(o model.Object, _ int) (messages.Finding, error) {
			text, err := o.Text("answer", maxText)
			return messages.Finding{Text: unlessNone(prompts.Plain(text))}, err
		},
	}, func() (messages.Finding, error) { return e.opts.Fallback.Direct(ctx, question) })
	f := a.Value
	if err == nil && a.Reply != nil && f.Text != "" {
		f.Confidence = a.Reply.Confidence(f.Text)
	}
	return f, err
}
