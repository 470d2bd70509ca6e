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

// firsts appends the n first of nums, in order, to dst. A word that every
// passage has makes thousands equal, so scores alone are compared as far as
// they tell: IDs only among those that are as good as the last one taken.
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
	// The n best scores so far: the root of the heap is the least of them. What
	// was once as good as that may be among the first, and nothing else.
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
	// Of those as good as the last, the ones with the first IDs: the root is
	// the last of them.
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
