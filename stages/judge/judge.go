// Package judge ends a complex question or asks for another round, bounded by
// the question's budget of rounds: HANRAG's ending discriminator over the
// (sub-question, answer) pairs, or LevelRAG's verification of summaries. A plan
// (MGA-RAG) ends when all of its parts are answered.
package judge

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// Sufficiency tells whether the pairs are enough to answer the question, or
// whether asking on is of no use.
type Sufficiency interface {
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	// Complete is the same of summaries (LevelRAG).
	Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
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
	used := meter.From(ctx)
	cut := spent(in, used)
	if cut == "" {
		enough, err := j.isEnough(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		if enough {
			return []messages.Message{&messages.Generate{Head: in.Head}}, nil
		}
		if in.Round >= in.Budget.Rounds {
			cut = fmt.Sprintf("stopped after %d rounds, the budget", in.Round)
		} else {
			cut = cmp.Or(spent(in, used), noTime(in)) // judging was a call too
		}
	}
	if cut != "" {
		return []messages.Message{&messages.Generate{Head: in.Head, Cut: cut}}, nil
	}
	head := in.Head
	head.Round++
	return []messages.Message{&messages.Decompose{Head: head}}, nil
}

func (j *Judge) isEnough(ctx context.Context, in *messages.Judge) (bool, error) {
	if len(in.Parts) > 0 {
		return in.Fulfilled(), nil
	}
	if j.opts.Off {
		return in.Round >= in.Budget.Rounds, nil
	}
	if in.Strategy == messages.Supplement {
		return j.enough.Complete(ctx, in.Question, in.Pairs)
	}
	return j.enough.Enough(ctx, in.Question, in.Pairs)
}

// noTime says so if the question has no time for another round, or nothing.
func noTime(in *messages.Judge) string {
	if meter.RoundLeft(&in.Head, time.Now()) {
		return ""
	}
	return meter.NoRound
}

// spent says which part of the model budget is used up, or nothing.
func spent(in *messages.Judge, m *meter.Meter) string {
	left, used := in.Remaining(), m.Used()
	switch {
	case left.ModelCalls <= used.ModelCalls:
		return fmt.Sprintf("stopped after %d model calls, the budget", in.Usage.ModelCalls+used.ModelCalls)
	case left.PromptTokens <= used.PromptTokens+used.CompletionTokens:
		return "stopped when the token budget was used up"
	}
	return ""
}
