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
//	published.go   plan as published: followed in order, never planned anew
//	bind.go        answers put where a part names another part's answer
//
// It writes the decision, a plan. The sub-queries are derived from the plan
// as it is stored, so that a second delivery changes nothing. Where nothing is
// left to ask, the question is answered from what was found; where a judge says
// so before the first round, from what the model knows.
package decomposer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
	"hopstream/stages/meter"
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

// Supplementer takes a question apart into atomic queries, and returns those that
// are missing, given what was found.
type Supplementer interface {
	Atomise(ctx context.Context, question string) ([]string, error)
	Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)
}

// Sufficiency tells whether the pairs are enough to answer the question; without
// any, whether there is nothing to look up.
type Sufficiency interface {
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
}

// Engine is all the decomposer asks.
type Engine interface {
	Splitter
	Refiner
	Planner
	Reviser
	Supplementer
	Sufficiency
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
	// NoRepair follows a plan once it was revised: one that leads no further is
	// neither planned anew nor given up for refining, and the question is answered
	// from what was found (MGA-RAG as published).
	NoRepair bool
	// NoReduce judges and synthesises a question whose first plan has one part
	// like any other, instead of answering it as a single one.
	NoReduce bool
	// JudgeFirst asks the judge before the first round of refining: a question for
	// which there is nothing to look up is answered directly (HANRAG).
	JudgeFirst bool
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
	if in.Round > 1 && meter.Late(ctx) { // what is found by now has to do
		return []messages.Message{&messages.Generate{Head: in.Head, Cut: meter.NoRound}}, nil
	}
	known, err := d.known(ctx, &in.Head)
	if err != nil {
		return nil, err
	}
	if known {
		return []messages.Message{directly(in.Head)}, nil
	}
	out := &messages.Plan{Head: in.Head}
	cut, err := d.plan(ctx, out)
	if err != nil {
		return nil, err
	}
	if len(out.Queries) == 0 {
		return []messages.Message{&messages.Generate{Head: out.Head, Cut: cut}}, nil
	}
	if !d.opts.NoRefiner && !d.opts.NoReduce { // without refiner the question itself is asked on purpose
		reduce(out)
	}
	return []messages.Message{out}, nil
}

// known asks the judge, before anything was looked up, whether anything has to be.
func (d *Decomposer) known(ctx context.Context, h *messages.Head) (bool, error) {
	refined := h.Class == messages.Complex && (h.Strategy == "" || h.Strategy == messages.Refine)
	if !d.opts.JudgeFirst || !refined || h.Round > 1 || len(h.Pairs) > 0 {
		return false, nil
	}
	enough, err := d.engine.Enough(ctx, h.Question, nil)
	if err != nil {
		return false, fmt.Errorf("judge: %w", err)
	}
	return enough, nil
}

// directly has a question answered without documents, as a straightforward one.
// It took no round, and is not rerouted again: what the generator writes for it
// is its answer.
func directly(h messages.Head) *messages.Generate {
	h.Class, h.Rerouted, h.Round = messages.Straightforward, messages.Reduced, 0
	return &messages.Generate{Head: h}
}

// plan fills in the queries of a round, and what is decided about those after.
// Where there are none it may say what was left open.
func (d *Decomposer) plan(ctx context.Context, out *messages.Plan) (cut string, err error) {
	switch {
	case out.Class == messages.Compound:
		parts, err := d.engine.Split(ctx, out.Question)
		if err != nil {
			return "", fmt.Errorf("split: %w", err)
		}
		out.Queries = tidy(parts, out.Question, out.Budget.Branches)
		return "", nil
	case out.Strategy == messages.Planned && d.opts.NoRepair:
		return d.published(ctx, out)
	case out.Strategy == messages.Planned:
		if ok, err := d.follow(ctx, out); ok || err != nil {
			return "", err
		}
		giveUp(&out.Head)
	case out.Strategy == messages.Supplement:
		return "", d.supplement(ctx, out)
	}
	return "", d.refine(ctx, out)
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

// supplement asks for the atomic queries, and in later rounds for those that are
// missing; it leaves out those that were asked before.
func (d *Decomposer) supplement(ctx context.Context, out *messages.Plan) error {
	var queries []string
	var err error
	if len(out.Pairs) == 0 {
		if queries, err = d.engine.Atomise(ctx, out.Question); err != nil {
			return fmt.Errorf("atomise: %w", err)
		}
	} else if queries, err = d.engine.Supplement(ctx, out.Question, out.Pairs); err != nil {
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
