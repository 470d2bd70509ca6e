package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Answer answers a sub-question from windows: whole passages, or the excerpts
// of one scale (MGA-RAG), for which there is a role of its own. The model quotes
// before it answers; see readSupport for what becomes of that. The answer is a
// list where several things are asked for: its claims are the items, with fields
// where several things are asked of each.
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
			return readAnswer(o, windows[:n])
		}}))
}

// readAnswer reads an answer from windows, or a list of several.
func readAnswer(o model.Object, windows []messages.Window) (messages.Finding, error) {
	text, err := o.Lines("answer", maxText)
	f := messages.Finding{Text: unlessNone(prompts.Plain(text))}
	items := readItems(o, "passages", len(windows), func(numbers []int) messages.Claim {
		return messages.Claim{Citations: cited(windows, numbers)}
	})
	switch {
	case isList(items):
		f = listed(items)
	case f.Text == "" && len(items) == 1: // a list of one item is a plain answer
		f = messages.Finding{Text: items[0].Text, Sources: items[0].Citations}
	case f.Text == "" || err != nil:
		return messages.Finding{}, err
	}
	sources, evidence := readSupport(o, windows)
	rest(&f, sources, evidence)
	return f, nil
}
