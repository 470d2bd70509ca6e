package vector

import (
	"slices"

	"hopstream/messages"
)

// hit is a passage, by its slot, and its cosine with the query.
type hit struct {
	score float32
	slot  uint32
}

// topK keeps the k best hits: the highest cosine first and, of equal ones, the
// smallest ID, so that a result never depends on how passages happen to be
// stored. The root of the heap is the worst of them.
type topK struct {
	k    int
	bar  float32 // what scores below it is not among the best, nor is what scores 0
	hits []hit
	from []messages.Passage // by slot
}

func (t *topK) better(a, b hit) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return t.from[a.slot].ID < t.from[b.slot].ID
}

// add takes h unless it is worse than the k best so far.
func (t *topK) add(h hit) {
	if h.score < t.bar || !(h.score > 0) {
		return
	}
	if len(t.hits) < t.k {
		t.hits = append(t.hits, h)
		for i := len(t.hits) - 1; i > 0; {
			parent := (i - 1) / 2
			if !t.better(t.hits[parent], t.hits[i]) {
				break
			}
			t.hits[parent], t.hits[i] = t.hits[i], t.hits[parent]
			i = parent
		}
		if len(t.hits) == t.k {
			t.bar = t.hits[0].score
		}
		return
	}
	if !t.better(h, t.hits[0]) {
		return
	}
	t.hits[0] = h
	for i := 0; ; {
		worst := i
		for _, c := range [...]int{2*i + 1, 2*i + 2} {
			if c < len(t.hits) && t.better(t.hits[worst], t.hits[c]) {
				worst = c
			}
		}
		if worst == i {
			break
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
	t.bar = t.hits[0].score
}

// passages returns the hits, best first, with scores and ranks.
func (t *topK) passages() []messages.Passage {
	slices.SortFunc(t.hits, func(a, b hit) int {
		if t.better(a, b) {
			return -1
		}
		return 1
	})
	ps := make([]messages.Passage, len(t.hits))
	for i, h := range t.hits {
		ps[i] = t.from[h.slot]
		ps[i].Score, ps[i].Rank = float64(h.score), i+1
	}
	return ps
}
