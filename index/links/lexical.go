package links

import "hopstream/index"

const (
	lexical       = 60  // candidates by BM25
	maxNamesakes  = 12  // passages of one title in the question that become candidates
	maxCandidates = 400 // of all kinds
)

// search scores every passage that has a word of the question by BM25 and
// makes candidates of the best, and of those whose title is in the question.
// keep is how many passages, at least, are sorted by score.
func (q *query) search(keep int) {
	c, d := q.c, q.d
	base := index.DefaultK1 * (1 - index.DefaultB)
	passages, terms := c.size()
	slope := index.DefaultK1 * index.DefaultB * float64(passages) / float64(max(terms, 1))
	for j, t := range q.terms {
		w := float64(t.count) * t.idf * (index.DefaultK1 + 1)
		for _, p := range c.postings[t.stem] {
			num := p.num()
			length := c.lengths[num]
			if length < 0 {
				continue
			}
			at := &d.cells[num]
			if at.mask == 0 {
				d.touched = append(d.touched, num)
			}
			at.mask |= 1 << j
			f := float64(p & many)
			if f == many {
				f = float64(c.often[place{t.stem, num}])
			}
			at.score += w * f / (f + base + slope*float64(length))
		}
	}
	d.order = q.firsts(d.order, d.touched, max(keep, lexical))
	q.order = d.order
	rank := 0
	for i, num := range q.order[:min(lexical, len(q.order))] {
		if i == 0 || d.cells[num].score != d.cells[q.order[i-1]].score {
			rank = i + 1
		}
		q.get(num).rank = rank
	}
	if len(q.order) > 0 {
		q.top = d.cells[q.order[0]].score
	}
	for i, m := range q.titles {
		for _, num := range q.means(m.entry) {
			if c := q.get(num); c != nil {
				c.nominee = i + 1
			}
		}
	}
	if len(q.cands) > 4 {
		q.fifth = q.cands[4].bm25
	}
	for _, c := range q.cands {
		q.prepare(c)
	}
}

// means returns the passages that a title may refer to, the best first.
func (q *query) means(entry int32) []int32 {
	nums, ok := q.meant[entry]
	if !ok {
		all := q.c.titles.passages(nil, entry)
		nums = q.firsts(nil, all, maxNamesakes)
		q.meant[entry] = nums
	}
	return nums
}
