package links

import (
	"slices"
	"strings"

	"hopstream/index/internal/topk"
)

// compare orders passages by BM25 and, of equal scores, by ID, so that
// nothing depends on the order in which they came.
func (q *query) compare(a, b int32) int {
	switch sa, sb := q.d.cells[a].score, q.d.cells[b].score; {
	case sa > sb:
		return -1
	case sa < sb:
		return 1
	case a == b:
		return 0
	}
	return strings.Compare(q.c.ids[a], q.c.ids[b])
}

// firsts appends the n first of nums, in order, to dst. A word that every passage
// has gives thousands of them equal scores, and comparing IDs is slow. So the n
// best are selected by score, and IDs are compared only among those that tie for
// the last place.
func (q *query) firsts(dst, nums []int32, n int) []int32 {
	from := len(dst)
	if len(nums) > n {
		dst = q.best(dst, nums, n)
	} else {
		dst = append(dst, nums...)
	}
	slices.SortFunc(dst[from:], q.compare)
	return dst
}

// best appends the n first of more nums to dst, in any order.
func (q *query) best(dst, nums []int32, n int) []int32 {
	if n <= 0 {
		return dst
	}
	// heap holds the n best scores so far, with the least of them at its root.
	// Only passages that were at least as good as the root may be among the first.
	heap, near := q.d.scores[:0], q.d.near[:0]
	for _, num := range nums[:n] {
		heap = append(heap, q.d.cells[num].score)
	}
	topk.Init(heap, higher)
	least := heap[0]
	for _, num := range nums[n:] {
		s := q.d.cells[num].score
		if s < least {
			continue
		}
		near = append(near, num)
		if s > least {
			topk.Replace(heap, s, higher)
			least = heap[0]
		}
	}
	q.d.scores, q.d.near = heap, near
	from, equal := len(dst), q.d.equal[:0]
	for _, part := range [...][]int32{nums[:n], near} {
		for _, num := range part {
			switch s := q.d.cells[num].score; {
			case s < least:
			case s > least:
				dst = append(dst, num)
			default:
				equal = append(equal, num)
			}
		}
	}
	q.d.equal = equal
	// Of those that tie for the last place, take the ones with the first IDs. The
	// root of this heap is the last ID taken.
	left := n - (len(dst) - from)
	dst = append(dst, equal[:left]...)
	last := dst[len(dst)-left:]
	topk.Init(last, q.before)
	for _, num := range equal[left:] {
		if q.c.ids[num] < q.c.ids[last[0]] {
			topk.Replace(last, num, q.before)
		}
	}
	return dst
}

func higher(a, b *float64) bool { return *a > *b }

// before reports whether a's ID is before b's.
func (q *query) before(a, b *int32) bool { return q.c.ids[*a] < q.c.ids[*b] }
