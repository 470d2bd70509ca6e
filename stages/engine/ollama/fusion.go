package ollama

import (
	"context"
	"errors"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var answerSchema = schema("answer", `{"type":"string"}`)

// Fuse makes one answer of those found at several scales (MGA-RAG). Answers
// that agree need no model; scales that found nothing do not count.
func (e *Engine) Fuse(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error) {
	var answers []string
	seen := map[string]int{}
	for _, f := range findings {
		if f.Text == "" {
			continue
		}
		if key := fold(f.Text); seen[key] == 0 {
			answers = append(answers, f.Text)
			seen[key] = len(answers)
		}
	}
	switch len(answers) {
	case 0:
		return messages.Finding{}, nil
	case 1:
		return agreeing(answers[0], findings), nil
	}
	a, err := ask(ctx, e, Fusion, model.Question[messages.Finding]{
		Schema: answerSchema, MaxTokens: answerTokens, Key: "answer", Items: len(answers),
		Messages: func(n int) []model.Message {
			return turns(prompts.FusionInput{Question: question, Answers: answers[:n]}.Prompt())
		},
		Read: func(o model.Object, _ int) (messages.Finding, error) {
			text, err := o.Text("answer", maxText)
			if text = unlessNone(prompts.Plain(text)); err == nil && text == "" {
				err = errors.New(`"answer" is empty: choose or combine the answers given`)
			}
			return messages.Finding{Text: text}, err
		},
	}, func() (messages.Finding, error) { return e.opts.Fallback.Fuse(ctx, question, findings) })
	if err != nil || a.Reply == nil {
		return a.Value, err
	}
	f := agreeing(a.Value.Text, findings)
	f.Confidence = a.Reply.Confidence(f.Text)
	return f, nil
}

// agreeing is a finding of that text, with the confidence and the sources of
// the findings that say the same, or the sources of all where none does.
func agreeing(text string, findings []messages.Finding) messages.Finding {
	out := messages.Finding{Text: text}
	for _, same := range [...]bool{true, false} {
		for _, f := range findings {
			if f.Text == "" || same && fold(f.Text) != fold(text) {
				continue
			}
			out.Confidence = max(out.Confidence, f.Confidence)
			for _, s := range f.Sources {
				out.Sources = addSource(out.Sources, s)
			}
		}
		if len(out.Sources) > 0 {
			break
		}
	}
	return out
}

// fold makes answers comparable: letters and digits, in lower case.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return strings.ContainsRune(" .,;:!?\"'()[]-–—", r)
	}), " ")
}
