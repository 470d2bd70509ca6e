package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// maxText bounds an answer, in bytes.
const maxText = 4000

// Answer answers a sub-question from windows: whole passages, or the excerpts
// of one scale (MGA-RAG), for which there is a role of its own. The sources
// are the windows that the model says it used, or else the first. The answer
// is a list where several things are asked for: its claims are the items.
func (e *Engine) Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	role := Answerer
	if windows[0].Scale > 0 {
		role = ScaleAnswerer
	}
	shown := windowed(windows)
	a, err := ask(ctx, e, role, model.Question[messages.Finding]{
		Schema:    itemized(len(windows)),
		MaxTokens: answerTokens, Key: "answer", Items: len(windows),
		Messages: func(n int) []model.Message {
			if role == ScaleAnswerer {
				return turns(prompts.ScaleAnswererInput{Question: question, Excerpts: shown[:n]}.Prompt())
			}
			return turns(prompts.AnswererInput{Question: question, Passages: shown[:n]}.Prompt())
		},
		Read: func(o model.Object, n int) (messages.Finding, error) {
			used, _ := o.Numbers("passages", n) // an answer without numbers is one all the same
			items := readItems(o, windows[:n], used)
			if len(items) > 1 {
				return listed(items), nil
			}
			text, err := o.Text("answer", maxText)
			text = unlessNone(prompts.Plain(text))
			switch {
			case text == "" && len(items) == 1: // a list of one is none
				return messages.Finding{Text: items[0].Text, Sources: items[0].Citations}, nil
			case text == "" || err != nil:
				return messages.Finding{}, err
			}
			return messages.Finding{Text: text, Sources: cited(windows, used)}, nil
		},
	}, func() (messages.Finding, error) { return e.opts.Fallback.Answer(ctx, question, windows) })
	f := a.Value
	if err == nil && a.Reply != nil && f.Text != "" {
		f.Confidence = a.Reply.Confidence(f.Text)
	}
	return f, err
}

func addSource(all []messages.Source, s messages.Source) []messages.Source {
	for i := range all {
		if all[i].ID == s.ID {
			return all
		}
	}
	return append(all, s)
}
