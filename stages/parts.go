package stages

import (
	"context"

	"hopstream/stages/aggregator"
	"hopstream/stages/aligner"
	"hopstream/stages/decomposer"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
	"hopstream/stages/judge"
	"hopstream/stages/retriever"
	"hopstream/stages/router"
)

// Engine answers every question that a stage's logic has, but for the search.
type Engine interface {
	router.Classifier
	decomposer.Engine
	filter.Relevance
	aligner.Embedder
	generator.Engine
	judge.Sufficiency
}

// Settings are the stages' own, a field each.
type Settings struct {
	Router     router.Options
	Decomposer decomposer.Options
	Retriever  retriever.Options
	Filter     filter.Options
	Aligner    aligner.Options
	Generator  generator.Options
	Judge      judge.Options
}

// Parts are what the stages are made of.
type Parts struct {
	Engine   Engine
	Search   retriever.Searcher // needed by the retriever only
	Branches aggregator.Branches
	// Loaded, if there is one, keeps the retriever from taking messages until
	// the index is loaded; see Logic.Gate.
	Loaded func(context.Context) error
	// Lacks, if there is one, says what of the documents up to seq the index
	// lacks; see Logic.Lacks.
	Lacks func(seq uint64) string
	// EveryHop stores a message for every stage, those that are off included:
	// for whoever reads afterwards what each of them was given.
	EveryHop bool

	Settings
}
