package golden_test

import (
	"context"
	"slices"

	"hopstream/index/searcher"
	"hopstream/messages"
)

const (
	// topK is how many passages are searched for.
	topK = 10
	// depth is how many each searcher is asked for where several are fused.
	depth = 20
)

// fusions are the sets of searchers that are measured besides each alone.
// Intents and dense are in none: with the builtin roles they find no more than
// BM25 does.
var fusions = [][]string{{"bm25", "links"}, {"bm25", "links", "sparse"}}

// searchers are a corpus's, with the builtin roles and the bounds that the
// program has by default.
func (st *stores) searchers() []searcher.Member {
	e := st.engine
	out := []searcher.Member{
		{Name: "bm25", Searcher: st.words},
		{Name: "links", Searcher: st.links},
		{Name: "sparse", Searcher: searcher.NewSparse(st.words, e, e, e, searcher.SparseOptions{Depth: 1, MaxVerifications: 10})},
		{Name: "dense", Searcher: searcher.NewDense(st.vectors, e, e, e, searcher.DenseOptions{Rewrites: 1})},
		{Name: "intents", Searcher: searcher.NewIntents(st.words, e, searcher.IntentsOptions{Depth: depth})},
	}
	alone := len(out)
	for _, names := range fusions {
		fused := searcher.Member{}
		var members []searcher.Member
		for _, m := range out[:alone] {
			if slices.Contains(names, m.Name) {
				members = append(members, m)
				fused.Name += "+" + m.Name
			}
		}
		fused.Name = fused.Name[1:]
		fused.Searcher = fusion{searcher.NewSet(members, searcher.SetOptions{})}
		out = append(out, fused)
	}
	return out
}

// fusion is a Set as a Searcher.
type fusion struct{ set *searcher.Set }

// Search returns the k best of all members.
func (f fusion) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	found, err := f.set.Search(ctx, query, depth)
	return found.Passages[:min(k, len(found.Passages))], err
}
