package searcher

import (
	"context"

	"hopstream/messages"
)

// Searcher finds the k best passages for a query, best first, with ranks from
// 1. It is safe for concurrent use.
type Searcher interface {
	Search(ctx context.Context, query string, k int) ([]messages.Passage, error)
}

// Func is a function as a Searcher.
type Func func(ctx context.Context, query string, k int) ([]messages.Passage, error)

// Search calls f.
func (f Func) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	return f(ctx, query, k)
}

// Telling is a Searcher that searches for other queries than the one it is given
// and tells them, such as the statements of hypothetical answers.
type Telling interface {
	Searcher
	// SearchTold is Search, and returns what was searched for in place of query,
	// if anything was.
	SearchTold(ctx context.Context, query string, k int) (found []messages.Passage, queries []string, err error)
}

// Embedder turns texts into vectors of one length, one per text.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// The roles below are an engine's: with a model or without one.

// Rewriter turns a query into the keywords that a word index wants, the most
// telling first (LevelRAG's sparse rewriting).
type Rewriter interface {
	Keywords(ctx context.Context, query string) ([]string, error)
}

// Operators refine a search that did not suffice (LevelRAG). Each is shown the
// keywords in use and what they found; an empty word means that there is none.
type Operators interface {
	// Extend returns a word or name that passages may hold in addition.
	Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	// Emphasise returns the keyword that should count more.
	Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	// Exclude returns a word whose passages are not wanted.
	Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
}

// Verifier tells whether passages hold what is needed to answer query.
type Verifier interface {
	Verify(ctx context.Context, query string, found []messages.Passage) (bool, error)
}

// Expander writes a passage as it could stand in the documents, from the query
// or from what was found so far (LevelRAG's pseudo-documents).
type Expander interface {
	PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error)
}

// Hypothesiser makes up plausible answers, and splits them into statements of one
// fact each, one for every intent of the question (MuISQA's hypothetical queries).
type Hypothesiser interface {
	Hypothesise(ctx context.Context, question string) ([]string, error)
	Statements(ctx context.Context, question string, answers []string) ([]string, error)
}
