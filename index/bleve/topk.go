package bleve

import "slices"

// hit is a passage with its score. Its ID is loaded only when two scores are
// equal, or at the end.
type hit struct {
	score float64
	num   uint64
	id    string
}

// topK keeps the k best hits: the highest score first and, of equal scores,
// the smallest ID, so that a result never depends on how passages happen to
// be stored. The root of the heap is the worst of them.
type topK struct {
	k    int
	hits []hit
	load func(num uint64) (string, error)
	err  error
}

func (t *topK) id(h *hit) string {
	if h.id == "" && t.err == nil {
		h.id, t.err = t.load(h.num)
	}
	return h.id
}

func (t *topK) better(a, b *hit) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return t.id(a) < t.id(b)
}

func (t *topK) add(h hit) {
	if len(t.hits) < t.k {
		t.hits = append(t.hits, h)
		for i := len(t.hits) - 1; i > 0; {
			parent := (i - 1) / 2
			if !t.better(&t.hits[parent], &t.hits[i]) {
				break
			}
			t.hits[parent], t.hits[i] = t.hits[i], t.hits[parent]
			i = parent
		}
		return
	}
	if h.score < t.hits[0].score || !t.better(&h, &t.hits[0]) {
		return
	}
	t.hits[0] = h
	for i := 0; ; {
		worst := i
		for _, c := range [...]int{2*i + 1, 2*i + 2} {
			if c < len(t.hits) && t.better(&t.hits[worst], &t.hits[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
}

// sorted returns the hits, best first, with their IDs.
func (t *topK) sorted() ([]hit, error) {
	for i := range t.hits {
		t.id(&t.hits[i])
	}
	slices.SortFunc(t.hits, func(a, b hit) int {
		if t.better(&a, &b) {
			return -1
		}
		return 1
	})
	return t.hits, t.err
}
