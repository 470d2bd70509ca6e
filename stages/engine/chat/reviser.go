package chat

import (
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Revise looks at a plan and returns it, or a better one (MGA-RAG's reviser):
// its first sub-question may have lost a name, be too general, or merely say
// the question again. A problem, unless empty, says why the plan cannot be
// followed; where the model knows none better, nothing is returned.
func (e *Engine) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	a, err := ask(ctx, e, Reviser, model.Question[[]string]{
		Schema: textList("questions", 0, messages.MaxParts), MaxTokens: listTokens, Key: "questions",
		Messages: func(int) []model.Message {
			if problem != "" {
				return turns(prompts.RepairInput{Question: question, Plan: plan, Pairs: found(pairs), Problem: problem}.Prompt())
			}
			return turns(prompts.ReviserInput{Question: question, Plan: plan}.Prompt())
		},
		Read: func(o model.Object, _ int) ([]string, error) {
			if _, err := o.Choice("questions", "ok", "good", "[]", "true"); err == nil { // nothing to be changed
				return nil, nil
			}
			return readParts(o, question)
		},
	}, func() ([]string, error) { return e.opts.Fallback.Revise(ctx, question, plan, pairs, problem) })
	switch {
	case err != nil:
		return nil, err
	case problem != "" && slices.Equal(a.Value, plan): // it would fail again
		return nil, nil
	case problem == "" && len(a.Value) == 0:
		return plan, nil
	}
	return a.Value, nil
}
