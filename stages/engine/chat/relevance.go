package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var verdictSchema = schema("relevant", `{"type":"boolean"}`)

// Relevant judges which passages help to answer query: all in one call, or one
// call each, side by side. Passages that did not fit the context are judged
// not to help.
func (e *Engine) Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	if len(passages) == 0 {
		return nil, nil
	}
	if e.opts.PerPassage {
		return e.relevantEach(ctx, query, passages)
	}
	shown := make([]prompts.Passage, len(passages))
	for i, p := range passages {
		shown[i] = prompts.Passage{Title: p.Title, Text: p.Text}
	}
	a, err := ask(ctx, e, Relevance, model.Question[[]bool]{
		Schema: schema("relevant", numbers(len(passages))), MaxTokens: verdictTokens + 4*len(passages), Key: "relevant", Items: len(passages),
		Messages: func(n int) []model.Message {
			return turns(prompts.RelevanceAllInput{Question: query, Passages: shown[:n]}.Prompt())
		},
		Read: func(o model.Object, n int) ([]bool, error) {
			numbers, err := o.Numbers("relevant", n)
			out := make([]bool, len(passages))
			for _, k := range numbers {
				out[k-1] = true
			}
			return out, err
		},
	}, func() ([]bool, error) { return e.opts.Fallback.Relevant(ctx, query, passages) })
	return a.Value, err
}

// relevantEach asks once per passage; one that is too long for the context
// does not help.
func (e *Engine) relevantEach(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	out := make([]bool, len(passages))
	err := model.Each(ctx, len(passages), func(ctx context.Context, i int) error {
		one := passages[i : i+1]
		a, err := ask(ctx, e, Relevance, model.Question[bool]{
			Schema: verdictSchema, MaxTokens: verdictTokens, Key: "relevant",
			Messages: func(int) []model.Message {
				return turns(prompts.RelevanceOneInput{Question: query, Passage: prompts.Passage{Title: one[0].Title, Text: one[0].Text}}.Prompt())
			},
			Read: func(o model.Object, _ int) (bool, error) { return o.Bool("relevant") },
		}, func() (bool, error) {
			verdict, err := e.opts.Fallback.Relevant(ctx, query, one)
			return len(verdict) == 1 && verdict[0], err
		})
		if errors.Is(err, model.ErrTooLong) {
			return nil
		}
		out[i] = a.Value
		return err
	})
	return out, err
}
