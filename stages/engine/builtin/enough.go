package builtin

import (
	"context"
	"strings"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
)

// Enough is the ending judge: it reports whether nothing of the question is
// left to ask, because the plan's steps are answered or because asking on
// would repeat what was asked in vain. Pairs that another engine asked are
// counted against the number of steps the plan would have taken. The only
// error is the context's.
func (e *engine) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return e.enough(question, e.short(pairs)), nil
}

func (e *engine) enough(question string, pairs []messages.Pair) bool {
	question = strings.TrimSpace(question)
	if question == "" || len(pairs) >= maxPairs {
		return true
	}
	if len(pairs) == 0 {
		return false
	}
	p := e.plans.Of(question)
	if p.Next(pairs) == "" {
		return true
	}
	if p.Matched(pairs) > 0 {
		return false
	}
	// Someone else's questions.
	answered := 0
	for i := range pairs {
		if !pairs[i].Open() {
			answered++
		}
	}
	n := len(pairs)
	return answered >= max(2, p.Steps()) || n >= 2 && pairs[n-1].Open() && pairs[n-2].Open()
}

// Equivalent compares words, as a set of roles without an engine does: who
// measures answers has more.
func (*engine) Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error) {
	return (&roles.Set{}).Equivalent(ctx, question, prediction, golds)
}
