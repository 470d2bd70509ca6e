package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Answer answers a sub-question from windows: whole passages, or the excerpts
// of one scale (MGA-RAG), for which there is a role of its own. The sources
// are the windows that the model says it used, or else the first. The answer
// is a list where several things are asked for: its claims are the items.
func (e *engine) Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	role, prompt := roles.Answerer, "answerer"
	if windows[0].Scale > 0 {
		role, prompt = roles.ScaleAnswerer, "scale_answerer"
	}
	return rated(ask(ctx, e, role, prompt, prompts.Data{Question: question, Passages: windowed(windows)},
		form[messages.Finding]{"answer", itemized(len(windows)), answerTokens, func(o model.Object, n int) (messages.Finding, error) {
			used, _ := o.Numbers("passages", n) // the numbers may be missing
			items := readItems(o, windows[:n], used)
			if len(items) > 1 {
				return listed(items), nil
			}
			text, err := o.Text("answer", maxText)
			text = unlessNone(prompts.Plain(text))
			switch {
			case text == "" && len(items) == 1: // a list of one item is a plain answer
				return messages.Finding{Text: items[0].Text, Sources: items[0].Citations}, nil
			case text == "" || err != nil:
				return messages.Finding{}, err
			}
			return messages.Finding{Text: text, Sources: cited(windows, used)}, nil
		}}))
}
