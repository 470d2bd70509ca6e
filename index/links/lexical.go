package links

import (
	"slices"
	"strings"
	"sync"

	"hopstream/index"
)

const (
	lexical       = 60  // candidates by BM25
	maxNamesakes  = 12  // passages of one title in the question that become candidates
	maxCandidates = 400 // of all kinds
)

// scratch is what a search needs and the next one can use again. Between
// searches all of it is zero.
type scratch struct {
	scores  []float64 // by passage: BM25
	masks   []uint64  // by passage: the terms it has
	touched []int32
}

func takeScratch(pool *sync.Pool, passages int) *scratch {
	s, _ := pool.Get().(*scratch)
	if s == nil || len(s.scores) < passages {
		n := passages + passages/4
		s = &scratch{scores: make([]float64, n), masks: make([]uint64, n)}
	}
	return s
}

func (s *scratch) release(pool *sync.Pool) {
	for _, num := range s.touched {
		s.scores[num], s.masks[num] = 0, 0
	}
	s.touched = s.touched[:0]
	pool.Put(s)
}

// search scores every passage that has a word of the question by BM25 and
// makes candidates of the best, and of those whose title is in the question.
// keep is how many are put in order at least.
func (q *query) search(keep int) {
	c, s := q.c, q.s
	base := index.DefaultK1 * (1 - index.DefaultB)
	passages, terms := c.size()
	slope := index.DefaultK1 * index.DefaultB * float64(passages) / float64(max(terms, 1))
	for j, t := range q.terms {
		w := float64(t.count) * t.idf * (index.DefaultK1 + 1)
		for _, p := range c.postings[t.stem] {
			length := c.lengths[p.num]
			if length < 0 {
				continue
			}
			if s.masks[p.num] == 0 {
				s.touched = append(s.touched, p.num)
			}
			s.masks[p.num] |= 1 << j
			f := float64(p.freq)
			s.scores[p.num] += w * f / (f + base + slope*float64(length))
		}
	}
	q.order = q.firsts(slices.Clone(s.touched), max(keep, lexical))
	rank := 0
	for i, num := range q.order[:min(lexical, len(q.order))] {
		if i == 0 || s.scores[num] != s.scores[q.order[i-1]] {
			rank = i + 1
		}
		q.get(num).rank = rank
	}
	if len(q.order) > 0 {
		q.top = s.scores[q.order[0]]
	}
	for i, m := range q.titles {
		for _, num := range q.means(m.entry) {
			q.nominees[num] = i
			q.get(num)
		}
	}
	if len(q.cands) > 4 {
		q.fifth = q.cands[4].bm25
	}
	for _, c := range q.cands {
		q.prepare(c)
	}
}

// means returns the passages that a title may mean, the best first.
func (q *query) means(entry int32) []int32 {
	nums, ok := q.best[entry]
	if !ok {
		nums = q.firsts(slices.Clone(q.c.titles.entries[entry].passages()), maxNamesakes)
		q.best[entry] = nums
	}
	return nums
}

// compare orders passages by BM25 and, of equal scores, by ID, so that
// nothing depends on the order in which they came.
func (q *query) compare(a, b int32) int {
	switch sa, sb := q.s.scores[a], q.s.scores[b]; {
	case sa > sb:
		return -1
	case sa < sb:
		return 1
	case a == b:
		return 0
	}
	return strings.Compare(q.c.passages[a].id, q.c.passages[b].id)
}

// firsts returns the n first of nums in order, which it moves about: Hoare's
// selection, then a sort.
func (q *query) firsts(nums []int32, n int) []int32 {
	for lo, hi := 0, len(nums); hi-lo > 1 && len(nums) > n; {
		p := nums[(lo+hi)/2]
		i, j := lo, hi-1
		for i <= j {
			for q.compare(nums[i], p) < 0 {
				i++
			}
			for q.compare(nums[j], p) > 0 {
				j--
			}
			if i <= j {
				nums[i], nums[j] = nums[j], nums[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j + 1
		case n >= i:
			lo = i
		default:
			lo = hi
		}
	}
	nums = nums[:min(n, len(nums))]
	slices.SortFunc(nums, q.compare)
	return nums
}
