// Package aggregator joins a round: when every branch has a sub-answer it
// writes the round once, to the judge for a complex question, to the final
// synthesis for a compound one.
//
// Every sub-answer's delivery looks at what is stored; whichever sees the
// round whole writes the join, and the log keeps the first. The sub-answer
// stored last always sees all, so a round with all its sub-answers never
// waits.
package aggregator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// Branches returns the stored sub-answers of in's round, in included. What it
// returns is at least as new as in.
type Branches interface {
	Branches(ctx context.Context, in *messages.Subanswer) ([]*messages.Subanswer, error)
}

// Aggregator is the stage.
type Aggregator struct {
	branches Branches
	recent   recent
}

// New returns the stage.
func New(b Branches) *Aggregator { return &Aggregator{branches: b} }

// Handle joins in's round, or writes nothing while branches are missing.
func (a *Aggregator) Handle(ctx context.Context, in *messages.Subanswer) ([]messages.Message, error) {
	round := []*messages.Subanswer{in}
	if in.Branches > 1 {
		var err error
		if round = a.recent.add(in); round == nil {
			round, err = a.branches.Branches(ctx, in)
		}
		if err != nil {
			return nil, fmt.Errorf("read round: %w", err)
		}
	}
	if len(round) < in.Branches {
		return nil, nil
	}
	for _, s := range round {
		meter.From(ctx).Join(s.Trace)
	}
	head := Join(round)
	if head.Class == messages.Complex {
		return []messages.Message{&messages.Judge{Head: head}}, nil
	}
	return []messages.Message{&messages.Generate{Head: head}}, nil
}

// Join makes one head of a whole round's: the pairs of all branches in order,
// and the usage of all of them on top of what they started from.
func Join(round []*messages.Subanswer) messages.Head {
	slices.SortFunc(round, func(x, y *messages.Subanswer) int { return cmp.Compare(x.Branch, y.Branch) })
	head := round[0].Head
	head.Usage = head.Base
	head.Pairs = slices.Clip(head.Pairs)
	for _, s := range round {
		head.Pairs = append(head.Pairs, s.Pair)
		head.Usage = head.Usage.Add(s.Usage.Sub(s.Base))
	}
	head.Branch, head.Branches, head.Part, head.Base = 0, 0, 0, messages.Usage{}
	return head
}
