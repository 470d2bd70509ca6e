package teacher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hopstream/cmd/hoplab/score"
	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Thing is what questions are about, with the names by which they may call it;
// the first is the one that the model is told.
type Thing struct{ Names []string }

// Written is a simple question with its answer.
type Written struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// The bounds of what is written.
const (
	maxSimple      = 200 // bytes of a simple question
	maxAnswer      = 80  // bytes of its answer
	maxAnswerWords = 10
	maxTokens      = 256 // of a reply
)

var (
	questionSchema = json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"},"answer":{"type":"string"}},"required":["question","answer"]}`)
	combineSchema  = json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}`)
	verdictSchema  = json.RawMessage(`{"type":"object","properties":{"relevant":{"type":"boolean"}},"required":["relevant"]}`)
)

// Question has a simple question about a thing written from a passage. The
// question names the thing, and its short answer stands in the passage and not in
// the question. ok is false where the model wrote none that does.
func (t *Teacher) Question(ctx context.Context, about Thing, p messages.Passage) (w Written, ok bool, err error) {
	d := prompts.Data{Entity: about.Names[0], Passages: []prompts.Passage{{Title: p.Title, Heading: p.Heading, Text: p.Text}}}
	w, ok, err = ask(ctx, t, "lab/question", d, model.Question[Written]{
		Schema: questionSchema, MaxTokens: maxTokens, Key: "question",
		Read: func(o model.Object, _ int) (w Written, err error) {
			if w.Question, err = textOf(o, "question", maxSimple); err != nil || w.Question == "" {
				return Written{}, err
			}
			if w.Answer, err = textOf(o, "answer", maxAnswer); err != nil {
				return w, err
			}
			return w, w.check(about, p.Text)
		},
	})
	return w, ok && w.Question != "", err
}

// textOf returns a text of a reply as it was before it was escaped.
func textOf(o model.Object, key string, most int) (string, error) {
	s, err := o.Text(key, most)
	return prompts.Plain(s), err
}

// check says what is wrong with a simple question.
func (w Written) check(about Thing, passage string) error {
	switch text := score.NewHaystack(passage); {
	case score.Normalize(w.Answer) == "":
		return errors.New(`"answer" is empty`)
	case len(strings.Fields(w.Answer)) > maxAnswerWords:
		return fmt.Errorf(`"answer" has more than %d words`, maxAnswerWords)
	case !text.Has(w.Answer):
		return errors.New(`"answer" does not stand in the passage word for word`)
	}
	asked := score.NewHaystack(w.Question)
	switch {
	case asked.Has(w.Answer):
		return errors.New(`"answer" stands in the question`)
	case !asked.Has(about.Names...):
		return fmt.Errorf(`"question" does not name %q`, about.Names[0])
	case strings.Count(w.Question, "?") != 1 || !strings.HasSuffix(w.Question, "?"):
		return errors.New(`"question" is not one question that ends with a question mark`)
	}
	return nil
}

// Combine has simple questions about a thing combined into one that asks for all
// of it. The combined question names the thing, keeps every other name and every
// number, and tells none of the answers. ok is false where the model finds that
// they cannot be combined, or wrote no such question.
func (t *Teacher) Combine(ctx context.Context, about Thing, parts []Written) (question string, ok bool, err error) {
	d := prompts.Data{Entity: about.Names[0]}
	for _, p := range parts {
		d.Questions = append(d.Questions, p.Question)
	}
	question, ok, err = ask(ctx, t, "lab/combine", d, model.Question[string]{
		Schema: combineSchema, MaxTokens: maxTokens, Key: "question",
		Read: func(o model.Object, _ int) (string, error) {
			s, err := textOf(o, "question", messages.MaxQuestion)
			if n := score.Normalize(s); n == "" || n == "no" {
				return "", err
			}
			return s, checkCombined(s, about, parts)
		},
	})
	return question, ok && question != "", err
}

// checkCombined says what is wrong with a combined question.
func checkCombined(question string, about Thing, parts []Written) error {
	text := score.NewHaystack(question)
	if !text.Has(about.Names...) {
		return fmt.Errorf(`"question" does not name %q`, about.Names[0])
	}
	words := map[string]bool{}
	for _, w := range lang.Tokens(question) {
		words[w.Norm] = true
	}
	known := map[string]bool{}
	for _, name := range about.Names {
		for _, w := range lang.Tokens(name) {
			known[w.Norm] = true
		}
	}
	for _, p := range parts {
		if text.Has(p.Answer) {
			return fmt.Errorf(`"question" tells the answer %q`, p.Answer)
		}
		if score.Normalize(p.Question) == score.Normalize(question) {
			return errors.New(`"question" is only one of the questions`)
		}
		for _, w := range lang.Tokens(p.Question) {
			if (w.Num || w.Cap && !w.First) && !words[w.Norm] && !known[w.Norm] {
				return fmt.Errorf(`"question" lacks %q`, w.Text)
			}
		}
	}
	return nil
}

// Relevant labels whether a passage helps to answer a question. ok is false where
// the model did not say.
func (t *Teacher) Relevant(ctx context.Context, question string, p messages.Passage) (relevant, ok bool, err error) {
	d := prompts.Data{Question: question, Passages: []prompts.Passage{{Title: p.Title, Text: p.Text}}}
	return ask(ctx, t, "relevance_one", d, model.Question[bool]{
		Schema: verdictSchema, MaxTokens: 64, Key: "relevant",
		Read: func(o model.Object, _ int) (bool, error) { return o.Bool("relevant") },
	})
}
