package bleve

import (
	"context"
	"fmt"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/index"
	"hopstream/messages"
)

// scratch is what a search needs and the next one can use again. Between
// searches every score is zero.
type scratch struct {
	scores  []float64 // by passage number
	touched []uint32  // the numbers whose score is not zero
	buf     scored    // for postings that are not kept
	hits    []hit
}

// Search returns the k passages with the highest BM25 score for query, best
// first and, of equal scores, by ID. Rank counts from 1. Any text is a query;
// one that shares no term with any passage finds nothing, which is no error.
func (b *Store) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	return b.Find(ctx, index.Query{Words: []index.Word{{Text: query}}}, k)
}

func (s *scratch) grow(num uint64) {
	scores := make([]float64, max(1024, num+num/2+1))
	copy(scores, s.scores)
	s.scores = scores
}

// best loads the k best passages.
func (s *scratch) best(ctx context.Context, r bleveapi.IndexReader, k int) ([]messages.Passage, error) {
	internal := bleveapi.NewIndexInternalID(nil, 0)
	top := topK{k: k, hits: s.hits[:0], load: func(num uint64) (string, error) {
		internal.SetValue(num)
		return r.ExternalID(internal)
	}}
	for _, num := range s.touched {
		top.add(hit{score: s.scores[num], num: uint64(num)})
	}
	hits, err := top.sorted()
	s.hits = top.hits
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if len(hits) == 0 {
		return nil, nil
	}
	passages := make([]messages.Passage, 0, len(hits))
	for i, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, _, err := load(r, h.id)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, fmt.Errorf("search: passage %q is not in its snapshot", h.id)
		}
		p.Score, p.Rank = h.score, i+1
		passages = append(passages, *p)
	}
	return passages, nil
}

// keepScores is the largest score table that is kept: 16 MB, for 2 million
// passages.
const keepScores = 2 << 20

func (s *scratch) release(pool interface{ Put(any) }) {
	if len(s.scores) > keepScores {
		return
	}
	for _, num := range s.touched {
		s.scores[num] = 0
	}
	s.touched = s.touched[:0]
	clear(s.hits)
	pool.Put(s)
}
