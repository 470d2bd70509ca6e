// Package decomposer decides what the sub-queries of a round are. A compound
// question is split once into independent sub-questions (HANRAG's compound
// way); a complex one is refined round by round into the next seed question,
// given what was found so far (HANRAG's complex way).
//
// It writes the decision, a plan. The sub-queries are derived from the plan
// as it is stored, so that a second delivery changes nothing.
package decomposer

import (
	"context"
	"fmt"
	"strings"

	"hopstream/messages"
)

// Splitter cuts a compound question into independent, self-contained
// sub-questions; one that cannot be cut comes back as it is.
type Splitter interface {
	Split(ctx context.Context, question string) ([]string, error)
}

// Refiner returns the next question to be asked on the way to an answer,
// given the pairs so far; empty means there is none.
type Refiner interface {
	Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error)
}

// Options adjust the decomposer.
type Options struct {
	// NoRefiner asks the original question in every round (HANRAG's ablation).
	NoRefiner bool
}

// Decomposer is the stage.
type Decomposer struct {
	split  Splitter
	refine Refiner
	opts   Options
}

// New returns the stage.
func New(s Splitter, r Refiner, o Options) *Decomposer { return &Decomposer{s, r, o} }

// Handle plans one round.
func (d *Decomposer) Handle(ctx context.Context, in *messages.Decompose) ([]messages.Message, error) {
	queries, err := d.queries(ctx, in)
	if err != nil {
		return nil, err
	}
	return []messages.Message{&messages.Plan{Head: in.Head, Queries: queries}}, nil
}

func (d *Decomposer) queries(ctx context.Context, in *messages.Decompose) ([]string, error) {
	if in.Class == messages.Compound {
		parts, err := d.split.Split(ctx, in.Question)
		if err != nil {
			return nil, fmt.Errorf("split: %w", err)
		}
		return tidy(parts, in.Question, in.Budget.Branches), nil
	}
	if d.opts.NoRefiner {
		return []string{in.Question}, nil
	}
	next, err := d.refine.Refine(ctx, in.Question, in.Pairs)
	if err != nil {
		return nil, fmt.Errorf("refine: %w", err)
	}
	return tidy([]string{next}, in.Question, 1), nil
}

// tidy drops empty, repeated and over-long queries, keeps at most limit, and
// falls back to the question itself.
func tidy(queries []string, question string, limit int) []string {
	var out []string
	seen := map[string]bool{}
	for _, q := range queries {
		q = strings.TrimSpace(q)
		if q == "" || len(q) > messages.MaxQuestion || seen[q] {
			continue
		}
		seen[q] = true
		out = append(out, q)
		if len(out) == limit {
			break
		}
	}
	if len(out) == 0 {
		return []string{question}
	}
	return out
}
