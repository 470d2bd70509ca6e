package searcher

import (
	"context"
	"strings"

	"hopstream/index"
	"hopstream/messages"
)

// Finder finds the k best passages for a structured query, best first.
// *bleve.Store is one, and *weaviate.Store another.
type Finder interface {
	Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error)
}

// SparseOptions bound what a search may cost. Zero fields take the defaults
// named; below zero means none.
type SparseOptions struct {
	// MaxRefinements is how often an operator is asked; 27.
	MaxRefinements int
	// Depth is how many operators are applied one after the other; 3.
	Depth int
	// MaxVerifications is how often passages are verified; 28, the first
	// search and every refinement.
	MaxVerifications int
	// OnGiveUp is told of keywords and refinements that there were to be; nil
	// means that nobody is.
	OnGiveUp GiveUp
}

func (o SparseOptions) withDefaults() SparseOptions {
	o.MaxRefinements = orDefault(o.MaxRefinements, 27)
	o.Depth = orDefault(o.Depth, 3)
	o.MaxVerifications = orDefault(o.MaxVerifications, 28)
	return o
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return max(v, 0)
}

// Sparse is LevelRAG's searcher over a word index (its Algorithm 1).
//
//	query ─▶ keywords ─▶ search ─▶ do they suffice? ─ yes ─▶ passages
//	                       ▲             │ no
//	                       └─ extend ────┤ breadth first, up to a depth; the
//	                          emphasise ─┤ three are asked at the same time
//	                          exclude ───┘
//
// What suffices is the result as that search found it. The paper does not say
// what is returned when nothing suffices within the bounds: here it is the first
// search fused with the first few refinements, so that what the keywords alone
// rank high stays, whatever the roles say.
type Sparse struct {
	finder    Finder
	rewriter  Rewriter
	operators Operators
	verifier  Verifier
	opts      SparseOptions
}

// NewSparse returns a searcher over f that asks the roles given. Without a
// rewriter it searches for the query's own words; without operators or a
// verifier it searches once.
func NewSparse(f Finder, r Rewriter, o Operators, v Verifier, opts SparseOptions) *Sparse {
	return &Sparse{f, r, o, v, opts.withDefaults()}
}

// Search finds the k best passages for query. A role that fails, as when its
// model is away or the time or budget is spent, ends the refinement, as does an
// error of a later search, and what was found until then is the result. Only the
// index's error in the first search and that of a caller who left are returned.
// A blank query finds nothing.
func (s *Sparse) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil || k <= 0 || strings.TrimSpace(query) == "" {
		return nil, err
	}
	ask, done := asking(ctx)
	defer done()
	start, more, err := s.first(ctx, ask, query, k)
	if err != nil || !more || s.operators == nil || s.verifier == nil {
		return start.found, err
	}
	r := refining{Sparse: s, ask: ask, text: query, k: k, searched: map[string]bool{}, judged: map[string]bool{}}
	return r.run(ctx, start)
}

// first makes the first search: for the keywords, or for the query's own words
// where there are none or nothing holds one. It reports whether anybody is
// there to refine it.
func (s *Sparse) first(ctx, ask context.Context, query string, k int) (n node, more bool, err error) {
	more = true
	if s.rewriter != nil {
		keywords, err := asked(ask, func(ctx context.Context) ([]string, error) { return s.rewriter.Keywords(ctx, query) })
		if err != nil {
			if err := s.opts.OnGiveUp.giveUp(ctx, "sparse keywords", err); err != nil {
				return node{}, false, err
			}
			more = false
		}
		n.query = queryOf(keywords)
	}
	if len(n.query.Words) > 0 {
		n.found, err = s.finder.Find(ctx, n.query, k)
	}
	if err == nil && len(n.found) == 0 {
		n.query = queryOf([]string{query})
		n.found, err = s.finder.Find(ctx, n.query, k)
	}
	return n, more, err
}

func newSparse(ctx context.Context, d *Deps) (Searcher, error) {
	words, err := d.Stores.WordIndex(ctx)
	if err != nil {
		return nil, err
	}
	return NewSparse(words, d.Roles, d.Roles, d.Roles, SparseOptions{
		Depth: exactly(d.Refinements), MaxVerifications: exactly(d.Verifications), OnGiveUp: d.OnGiveUp,
	}), nil
}
