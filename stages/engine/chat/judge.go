package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Enough is HANRAG's ending judge: do the pairs suffice for an answer? Without
// pairs it is asked whether the question needs any. Where they were asked and
// nothing at all was found they do not suffice, and no model is asked.
func (e *engine) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if len(pairs) > 0 && !anyFound(pairs) {
		return false, nil
	}
	return value(ask(ctx, e, roles.Judge, "judge", prompts.Data{Question: question, Pairs: found(pairs)}, verdict("enough")))
}
