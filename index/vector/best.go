package vector

import (
	"hopstream/index/internal/topk"
	"hopstream/messages"
)

// hit is a passage, by its slot, and its cosine with the query.
type hit struct {
	score float32
	slot  uint32
}

// best keeps the k best hits: the highest cosine first and, of equal ones, the
// smallest ID, so that a result never depends on how passages happen to be
// stored.
type best struct {
	k    int
	bar  float32            // hits that score below it, or 0, are not among the best
	from []messages.Passage // by slot
	heap *topk.Heap[hit]
}

func newBest(k int, from []messages.Passage) *best {
	b := &best{k: k, from: from}
	b.heap = topk.New(k, nil, b.better)
	return b
}

func (b *best) better(x, y *hit) bool {
	if x.score != y.score {
		return x.score > y.score
	}
	return b.from[x.slot].ID < b.from[y.slot].ID
}

// add takes h unless it is worse than the k best so far.
func (b *best) add(h hit) {
	if h.score < b.bar || !(h.score > 0) {
		return
	}
	b.heap.Add(h)
	if b.heap.Full() {
		b.bar = b.heap.Worst().score
	}
}

// passages returns the hits, best first, with scores and ranks.
func (b *best) passages() []messages.Passage {
	hits := b.heap.Sorted()
	ps := make([]messages.Passage, len(hits))
	for i, h := range hits {
		ps[i] = b.from[h.slot]
		ps[i].Score, ps[i].Rank = float64(h.score), i+1
	}
	return ps
}
