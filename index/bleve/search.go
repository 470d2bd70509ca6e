package bleve

import (
	"context"

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
