package index

import (
	"context"
	"fmt"
	"strings"

	bleveapi "github.com/blevesearch/bleve_index_api"

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

// term is one distinct term of a query.
type term struct {
	text  []byte
	count int
}

// Search returns the k passages with the highest BM25 score for query, best
// first and, of equal scores, by ID. Rank counts from 1. Any text is a query;
// one that shares no term with any passage finds nothing, which is no error.
func (b *Bleve) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.index == nil {
		return nil, ErrClosed
	}
	terms := b.terms(query)
	if k <= 0 || len(terms) == 0 {
		return nil, nil
	}
	r, err := b.reader.Reader()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	defer r.Close()
	stored, err := r.GetInternal(keyTotals)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	total := decodeTotals(stored)
	if total.Tokens == 0 {
		return nil, nil
	}

	s := b.scratch.Get().(*scratch)
	defer s.release(&b.scratch)
	m := bm25{k1: b.opts.K1, b: b.opts.B, passages: float64(total.Passages), average: float64(total.Tokens) / float64(total.Passages)}
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.score(ctx, r, &b.cache, m, t); err != nil {
			return nil, fmt.Errorf("search for %q: %w", t.text, err)
		}
	}
	return s.best(ctx, r, k)
}

// terms analyzes query into its distinct terms, in order of appearance.
func (b *Bleve) terms(query string) []term {
	if strings.TrimSpace(query) == "" {
		return nil
	}
	tokens := b.analyzer.Analyze([]byte(strings.ToValidUTF8(query, " ")))
	terms := make([]term, 0, len(tokens))
	at := make(map[string]int, len(tokens))
	for _, tok := range tokens {
		if i, ok := at[string(tok.Term)]; ok {
			terms[i].count++
			continue
		}
		at[string(tok.Term)] = len(terms)
		terms = append(terms, term{tok.Term, 1})
	}
	return terms
}

// score adds one term's part to the score of every passage that has it.
func (s *scratch) score(ctx context.Context, r bleveapi.IndexReader, c *cache, m bm25, t term) error {
	found, ok := c.get(r, t.text)
	if !ok {
		var kept bool
		var err error
		found, kept, err = m.read(ctx, r, t.text, &s.buf, func(n int) bool { return c.reserve(r, n+termCost) })
		if err != nil {
			return err
		}
		if kept {
			c.put(r, t.text, found)
		}
	}
	if len(found.nums) == 0 {
		return nil
	}
	if last := uint64(found.nums[len(found.nums)-1]); last >= uint64(len(s.scores)) {
		s.grow(last)
	}
	count := float64(t.count)
	for i, num := range found.nums {
		if s.scores[num] == 0 {
			s.touched = append(s.touched, num)
		}
		s.scores[num] += count * found.gains[i]
	}
	return nil
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
