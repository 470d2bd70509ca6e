package bleve

import (
	"context"
	"fmt"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/index/internal/topk"
	"hopstream/messages"
)

// hit is a passage with its score. Its ID is loaded only when two scores are
// equal, or at the end.
type hit struct {
	score float64
	num   uint64
	id    string
}

// best keeps the k best hits: the highest score first and, of equal scores,
// the smallest ID, so that a result never depends on how passages happen to
// be stored.
type best struct {
	heap *topk.Heap[hit]
	load func(num uint64) (id string, err error)
	err  error // the first of load
}

// newBest works in room's memory.
func newBest(k int, room []hit, load func(num uint64) (string, error)) *best {
	b := &best{load: load}
	b.heap = topk.New(k, room, b.better)
	return b
}

func (b *best) id(h *hit) string {
	if h.id == "" && b.err == nil {
		h.id, b.err = b.load(h.num)
	}
	return h.id
}

func (b *best) better(x, y *hit) bool {
	if x.score != y.score {
		return x.score > y.score
	}
	return b.id(x) < b.id(y)
}

func (b *best) add(h hit) {
	if b.heap.Full() && h.score < b.heap.Worst().score {
		return
	}
	b.heap.Add(h)
}

// sorted returns the hits, best first, with their IDs.
func (b *best) sorted() ([]hit, error) {
	hits := b.heap.Items()
	for i := range hits {
		b.id(&hits[i])
	}
	return b.heap.Sorted(), b.err
}

// best loads the k best passages.
func (s *scratch) best(ctx context.Context, r bleveapi.IndexReader, k int) ([]messages.Passage, error) {
	internal := bleveapi.NewIndexInternalID(nil, 0)
	top := newBest(k, s.hits, func(num uint64) (string, error) {
		internal.SetValue(num)
		return r.ExternalID(internal)
	})
	for _, num := range s.touched {
		top.add(hit{score: s.scores[num], num: uint64(num)})
	}
	hits, err := top.sorted()
	s.hits = hits
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
