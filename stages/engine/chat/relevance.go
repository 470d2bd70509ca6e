package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Relevant judges which passages help to answer query: all in one call, or one
// call each, side by side. Passages that did not fit the context are judged
// not to help.
func (e *engine) Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	switch {
	case len(passages) == 0:
		return nil, nil
	case e.perPassage && len(passages) > 1:
		return oneByOne(e.Relevant)(ctx, query, passages)
	case e.perPassage:
		helps, err := value(ask(ctx, e, roles.Relevance, "relevance_one", prompts.Data{Question: query, Passages: pages(passages)}, verdict("relevant")))
		if errors.Is(err, model.ErrTooLong) {
			err = nil
		}
		return []bool{helps}, err
	}
	return value(ask(ctx, e, roles.Relevance, "relevance_all", prompts.Data{Question: query, Passages: pages(passages)},
		form[[]bool]{"relevant", schema("relevant", numbers(len(passages))), verdictTokens + 4*len(passages), func(o model.Object, n int) ([]bool, error) {
			numbers, err := o.Numbers("relevant", n)
			out := make([]bool, len(passages))
			for _, k := range numbers {
				out[k-1] = true
			}
			return out, err
		}}))
}

// oneByOne asks judge once per passage, side by side.
func oneByOne(judge func(context.Context, string, []messages.Passage) ([]bool, error)) func(context.Context, string, []messages.Passage) ([]bool, error) {
	return func(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
		out := make([]bool, len(passages))
		err := model.Each(ctx, len(passages), func(ctx context.Context, i int) error {
			verdict, err := judge(ctx, query, passages[i:i+1])
			out[i] = len(verdict) == 1 && verdict[0]
			return err
		})
		return out, err
	}
}
