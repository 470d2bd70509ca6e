package ollama

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
// are the windows that the model says it used, or else the first.
func (e *Engine) Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	role := Answerer
	if windows[0].Scale > 0 {
		role = ScaleAnswerer
	}
	texts := make([]prompts.Passage, len(windows))
	for i, w := range windows {
		texts[i] = prompts.Passage{Title: w.Title, Text: w.Text}
	}
	var used []int
	a, err := ask(ctx, e, role, model.Question[messages.Finding]{
		Schema:    schema("passages", numbers(len(windows)), "answer", `{"type":"string"}`),
		MaxTokens: answerTokens, Key: "answer", Items: len(windows),
		Messages: func(n int) []model.Message {
			if role == ScaleAnswerer {
				return turns(prompts.ScaleAnswererInput{Question: question, Excerpts: texts[:n]}.Prompt())
			}
			return turns(prompts.AnswererInput{Question: question, Passages: texts[:n]}.Prompt())
		},
		Read: func(o model.Object, n int) (f messages.Finding, err error) {
			if f.Text, err = o.Text("answer", maxText); err != nil {
				return f, err
			}
			used, _ = o.Numbers("passages", n) // an answer without numbers is one all the same
			f.Text = unlessNone(prompts.Plain(f.Text))
			return f, nil
		},
	}, func() (messages.Finding, error) { return e.opts.Fallback.Answer(ctx, question, windows) })
	f := a.Value
	if err != nil || f.Text == "" || a.Reply == nil {
		return f, err
	}
	f.Confidence = a.Reply.Confidence(f.Text)
	if len(used) == 0 {
		used = []int{1}
	}
	for _, k := range used {
		f.Sources = addSource(f.Sources, messages.Source{ID: windows[k-1].Passage, Title: windows[k-1].Title})
	}
	return f, nil
}

func addSource(all []messages.Source, s messages.Source) []messages.Source {
	for i := range all {
		if all[i].ID == s.ID {
			return all
		}
	}
	return append(all, s)
}
