package builtin

import (
	"context"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/plan"
)

// Refine returns the next question to ask on the way to a complex question's
// answer, or "" when nothing is left to ask.
//
// The question is taken apart into a plan: the descriptions nested in it ("the
// county where Van Hook Township is located") become steps, innermost first,
// and leave a slot where they stood; a comparison becomes one question for
// each side. The pairs are then replayed into the plan: an answer fills its
// slot, a question that was asked in vain leaves its description in place.
// When the plan ends without an answer, the question is asked as it stands,
// once. Nothing but question and pairs is looked at, so that any worker comes
// to the same result. The only error is the context's.
func (e *engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return e.refine(question, e.short(pairs)), nil
}

// maxPairs bounds the sub-questions after which nothing more is asked.
const maxPairs = 12

func (e *engine) refine(question string, pairs []messages.Pair) string {
	if question == "" || len(question) > messages.MaxQuestion || len(pairs) >= maxPairs {
		return ""
	}
	return e.plans.Of(question).Next(pairs)
}

// Split takes a compound question apart into independent sub-questions, each
// of which can be understood alone: what they share is repeated in each, and
// pronouns are replaced by what they stand for. A question that cannot be
// split is returned as it stands. The only error is the context's.
func (e *engine) Split(ctx context.Context, question string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return plan.Split(question), nil
}
