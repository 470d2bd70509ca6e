package admission

import (
	"math"

	"hopstream/messages"
)

// turn returns the tenant whose question is admitted next; nil if none is. The
// caller holds the lock.
func (q *Queue[T]) turn() (next *tenant[T]) {
	size, open := q.window.Size(), len(q.open)
	if open >= size+q.window.Reserve() {
		return nil
	}
	reserve := open >= size
	place := q.place(size)
	var within bool // next has less than its share open
	for _, t := range q.list {
		if !q.may(t, reserve) {
			continue
		}
		less := t.open < place(t)
		if next == nil || less && !within || less == within && before(t, next) {
			next, within = t, less
		}
	}
	return next
}

// before says whose turn it is of two; the name decides between equals, so that the
// order does not depend on that of a map.
func before[T any](a, b *tenant[T]) bool {
	if a.start != b.start {
		return a.start < b.start
	}
	return a.name < b.name
}

// may says whether a question of t can be admitted at all, or into the reserve.
func (q *Queue[T]) may(t *tenant[T], reserve bool) bool {
	head, s := t.head(), t.set
	switch {
	case head < 0 || s.Paused || s.MaxOpen > 0 && t.open >= s.MaxOpen:
		return false
	case reserve:
		return head == rank(messages.Interactive) || t.open == 0 && t.start <= q.virtual
	}
	return true
}

// slack is by how much a tenant may have more open than its share before it gives
// way: the questions that are open at a moment are never divided exactly.
const slack = 1.25

// place returns a function that says how many of the window's places are a
// tenant's share, among those that have something here.
func (q *Queue[T]) place(size int) func(*tenant[T]) int {
	var sum float64
	for _, t := range q.list {
		if t.open > 0 || t.waits() > 0 {
			sum += t.set.weight()
		}
	}
	return func(t *tenant[T]) int {
		return int(math.Ceil(slack * float64(size) * t.set.weight() / sum))
	}
}
