// Package judge ends a complex question or asks for another round: HANRAG's
// ending discriminator over the (sub-question, answer) pairs, bounded by the
// question's budget of rounds.
package judge

import (
	"context"
	"fmt"

	"hopstream/messages"
)

// Sufficiency tells whether the pairs are enough to answer the question, or
// whether asking on is of no use.
type Sufficiency interface {
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
}

// Options adjust the judge.
type Options struct {
	// Off never ends before the rounds are used up (HANRAG's ablation).
	Off bool
}

// Judge is the stage.
type Judge struct {
	enough Sufficiency
	opts   Options
}

// New returns the stage.
func New(s Sufficiency, o Options) *Judge { return &Judge{s, o} }

// Handle judges a joined round.
func (j *Judge) Handle(ctx context.Context, in *messages.Judge) ([]messages.Message, error) {
	enough, err := j.isEnough(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	if enough {
		return []messages.Message{&messages.Generate{Head: in.Head}}, nil
	}
	if reason := bound(in); reason != "" {
		return []messages.Message{&messages.Generate{Head: in.Head, Cut: reason}}, nil
	}
	head := in.Head
	head.Round++
	return []messages.Message{&messages.Decompose{Head: head}}, nil
}

func (j *Judge) isEnough(ctx context.Context, in *messages.Judge) (bool, error) {
	if j.opts.Off {
		return in.Round >= in.Budget.Rounds, nil
	}
	return j.enough.Enough(ctx, in.Question, in.Pairs)
}

// bound says which part of the budget forbids another round, or nothing.
func bound(in *messages.Judge) string {
	switch left := in.Remaining(); {
	case in.Round >= in.Budget.Rounds:
		return fmt.Sprintf("stopped after %d rounds, the budget", in.Round)
	case left.ModelCalls == 0:
		return fmt.Sprintf("stopped after %d model calls, the budget", in.Usage.ModelCalls)
	case left.PromptTokens == 0:
		return "stopped when the token budget was used up"
	}
	return ""
}
