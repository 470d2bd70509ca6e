// Package assembly puts the stages together.
//
//	question ─▶ router ─┬─ straightforward ─────────────────────────────▶ generator ─▶ answer
//	                    ├─ single ─────────▶ retriever ─▶ filter ─▶ aligner ─▶ generator ─▶ answer
//	                    ├─ compound ─▶ decomposer ═╪═ n sub-queries, each a message ═▶ … ─▶ generator
//	                    │                          │                                          │ sub-answers
//	                    └─ complex ──▶ decomposer ─┘       aggregator (joins the round) ◀─────┘
//	                                      ▲                    │ compound, or judged enough ─▶ generator ─▶ answer
//	                                      └── next round ── judge ◀┘ complex
package assembly

import (
	"context"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/aggregator"
	"hopstream/stages/aligner"
	"hopstream/stages/decomposer"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
	"hopstream/stages/judge"
	"hopstream/stages/retriever"
	"hopstream/stages/router"
	"hopstream/stages/runner"
)

// Engine answers every question a stage has, but for the search.
type Engine interface {
	router.Classifier
	decomposer.Engine
	filter.Relevance
	aligner.Embedder
	generator.Engine
}

// Parts are what the stages are made of.
type Parts struct {
	Engine   Engine
	Search   retriever.Searcher // needed by the retriever only
	Branches aggregator.Branches
	// Loaded, if there is one, keeps the retriever from taking messages until
	// the index is loaded; see runner.Logic.Gate.
	Loaded func(context.Context) error
	// Lacks, if there is one, says what of the documents up to seq the index
	// lacks; see runner.Logic.Lacks.
	Lacks func(seq uint64) string

	Router     router.Options
	Decomposer decomposer.Options
	Retriever  retriever.Options
	Filter     filter.Options
	Aligner    aligner.Options
	Generator  generator.Options
	Judge      judge.Options
}

// Logics returns the logic of the given rows of the table.
func Logics(table []stages.Stage, p Parts) []runner.Logic {
	retrieve := runner.Of("retriever", retriever.New(p.Search, p.Retriever).Handle)
	retrieve.Gate = p.Loaded
	if p.Lacks != nil {
		retrieve.Lacks = func(h *messages.Head) string { return p.Lacks(h.Docs) }
	}
	filtered := runner.Of("filter", filter.New(p.Engine, p.Filter).Handle)
	aligned := runner.Of("aligner", aligner.New(p.Engine, p.Aligner).Handle)
	if p.Aligner.Off { // no hop of its own; what other processes send it is passed on
		filtered = filtered.Then(messages.KindAlign, aligned)
	}
	all := []runner.Logic{
		runner.Of("router", router.New(p.Engine, p.Router).Handle),
		runner.Of("decomposer", decomposer.New(p.Engine, p.Decomposer).Handle),
		retrieve,
		filtered,
		aligned,
		runner.Of("generator", generator.New(p.Engine, p.Generator).Handle),
		runner.Of("aggregator", aggregator.New(p.Branches).Handle),
		runner.Of("judge", judge.New(p.Engine, p.Judge).Handle),
	}
	var out []runner.Logic
	for _, row := range table {
		for _, l := range all {
			if l.Stage == row.Name {
				out = append(out, l)
			}
		}
	}
	return out
}
