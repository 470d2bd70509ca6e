// Package decomposer decides what the sub-queries of a round are. A compound
// question is split once into independent sub-questions (HANRAG's compound
// way). A complex one is pursued by one of three strategies:
//
//	refine      the next seed question, given what was found (HANRAG)
//	plan        a plan whose parts name each other's answers; all parts that
//	            can be asked are asked at once (MGA-RAG)
//	supplement  atomic queries, and in later rounds those still missing (LevelRAG)
//
// The files, in reading order:
//
//	decomposer.go  Handle: the strategies, and the limits of rounds and branches
//	follow.go      plan: made, checked, followed, and planned anew once
//	bind.go        answers put where a part names another part's answer
//
// It writes the decision, a plan. The sub-queries are derived from the plan
// as it is stored, so that a second delivery changes nothing. Where nothing is
// left to ask, the question is answered from what was found.
package decomposer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// Splitter cuts a compound question into independent, self-contained
// sub-questions; one that cannot be cut comes back as it is.
type Splitter interface {
	Split(ctx context.Context, question string) ([]string, error)
}

// Refiner returns the next question to be asked on the way to an answer,
// given the pairs so far; empty means there is none. A question that takes
// one step only comes back as it is.
type Refiner interface {
	Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error)
}

// Planner takes a complex question apart into at most messages.MaxParts
// sub-questions. One that needs the answer of another names it by its number
// from 1: $1, $2, …. The parts together answer the question.
type Planner interface {
	Plan(ctx context.Context, question string) ([]string, error)
}

// Reviser looks at a plan and returns it, or a better one. A problem, unless
// empty, says why the plan cannot be followed; pairs are what was found so far.
type Reviser interface {
	Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error)
}

// Supplementer returns the atomic queries that are missing, given what was
// found; without pairs, those to begin with.
type Supplementer interface {
	Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)
}

// Engine is all the decomposer asks.
type Engine interface {
	Splitter
	Refiner
	Planner
	Reviser
	Supplementer
}

// Options adjust the decomposer.
type Options struct {
	// NoRefiner asks the original question in every round (HANRAG's ablation).
	NoRefiner bool
	// AllRounds asks the question itself where nothing is left to ask, so that
	// the rounds are used up (HANRAG's ablation of the judge).
	AllRounds bool
	// NoReviser follows plans as they are; one that cannot be followed is
	// given up (MGA-RAG's ablation).
	NoReviser bool
}

// Decomposer is the stage.
type Decomposer struct {
	engine Engine
	opts   Options
}

// New returns the stage.
func New(e Engine, o Options) *Decomposer { return &Decomposer{e, o} }

// Handle plans one round, or ends them.
func (d *Decomposer) Handle(ctx context.Context, in *messages.Decompose) ([]messages.Message, error) {
	out := &messages.Plan{Head: in.Head}
	if err := d.plan(ctx, out); err != nil {
		return nil, err
	}
	if len(out.Queries) == 0 {
		return []messages.Message{&messages.Generate{Head: out.Head}}, nil
	}
	if !d.opts.NoRefiner { // which asks the question itself on purpose
		reduce(out)
	}
	return []messages.Message{out}, nil
}

// plan fills in the queries of a round, and what is decided about those after.
func (d *Decomposer) plan(ctx context.Context, out *messages.Plan) error {
	if out.Class == messages.Compound {
		parts, err := d.engine.Split(ctx, out.Question)
		if err != nil {
			return fmt.Errorf("split: %w", err)
		}
		out.Queries = tidy(parts, out.Question, out.Budget.Branches)
		return nil
	}
	switch out.Strategy {
	case messages.Planned:
		if ok, err := d.follow(ctx, out); ok || err != nil {
			return err
		}
		giveUp(&out.Head)
	case messages.Supplement:
		return d.supplement(ctx, out)
	}
	return d.refine(ctx, out)
}

// refine asks for the next seed question.
func (d *Decomposer) refine(ctx context.Context, out *messages.Plan) error {
	if d.opts.NoRefiner {
		out.Queries = []string{out.Question}
		return nil
	}
	next, err := d.engine.Refine(ctx, out.Question, out.Pairs)
	if err != nil {
		return fmt.Errorf("refine: %w", err)
	}
	out.Queries = tidy([]string{next}, d.atLeast(out), 1)
	return nil
}

// atLeast is the question itself in the first round, which must ask something.
func (d *Decomposer) atLeast(out *messages.Plan) string {
	if out.Round > 1 && !d.opts.AllRounds {
		return ""
	}
	return out.Question
}

// supplement asks for the atomic queries that are missing, and leaves out
// those that were asked before.
func (d *Decomposer) supplement(ctx context.Context, out *messages.Plan) error {
	queries, err := d.engine.Supplement(ctx, out.Question, out.Pairs)
	if err != nil {
		return fmt.Errorf("supplement: %w", err)
	}
	fresh := slices.DeleteFunc(slices.Clone(queries), func(q string) bool { return asked(&out.Head, q) })
	out.Queries = tidy(fresh, d.atLeast(out), out.Budget.Branches)
	return nil
}

// reduce makes a single question of one whose first plan has one part: it
// needs neither a judge nor a synthesis.
func reduce(out *messages.Plan) {
	first := out.Round == 1 && len(out.Pairs) == 0 && out.Rerouted == ""
	if !first || len(out.Queries) != 1 || len(out.Parts) > 1 {
		return
	}
	if len(out.Parts) == 1 || subquestion.Same(out.Queries[0], out.Question) {
		out.Class, out.Rerouted, out.Parts, out.Answers = messages.Single, messages.Reduced, nil, nil
	}
}

// asked reports whether a query was asked before.
func asked(h *messages.Head, query string) bool {
	return slices.ContainsFunc(h.Pairs, func(p messages.Pair) bool { return subquestion.Same(p.Question, query) })
}

// tidy drops empty, repeated and over-long queries and keeps at most limit.
// Where none is left it falls back to another, unless that is empty.
func tidy(queries []string, another string, limit int) []string {
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
	if len(out) == 0 && another != "" {
		return []string{another}
	}
	return out
}
