package chat

import (
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Revise looks at a plan and returns it, or a better one (MGA-RAG's reviser):
// its first sub-question may have lost a name, be too general, or merely say
// the question again. A problem, unless empty, says why the plan cannot be
// followed; where the model knows none better, nothing is returned.
func (e *engine) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	prompt, d := "reviser", prompts.Data{Question: question, Plan: plan}
	if problem != "" {
		prompt, d.Pairs, d.Problem = "repair", found(pairs), problem
	}
	better, err := value(ask(ctx, e, roles.Reviser, prompt, d,
		form[[]string]{"questions", textList("questions", 0, messages.MaxParts), listTokens, func(o model.Object, _ int) ([]string, error) {
			if _, err := o.Choice("questions", "ok", "good", "[]", "true"); err == nil { // the model wrote that the plan is good
				return nil, nil
			}
			return readParts(o, question)
		}}))
	switch {
	case err != nil:
		return nil, err
	case problem != "" && slices.Equal(better, plan): // the same plan would fail again
		return nil, nil
	case problem == "" && len(better) == 0:
		return plan, nil
	}
	return better, nil
}
