// Package topk keeps the best few of many without sorting them all. The word
// store, the vectors and the links each rank thousands of passages for a
// handful of results.
package topk

// Heap keeps the k best of what is added. Which of two is better is the
// caller's to say; it must be a strict order without ties, so that the result
// does not depend on the order of adding.
type Heap[T any] struct {
	k      int
	better func(a, b *T) bool
	items  []T
	added  T // what Add compares: kept here so that it needs no memory of its own
}

// New returns an empty heap for the k best. It works in room's memory, whose
// content is lost; nil is fine. better gets pointers so that it may note in an
// item what was costly to find out.
func New[T any](k int, room []T, better func(a, b *T) bool) *Heap[T] {
	return &Heap[T]{k: k, better: better, items: room[:0]}
}

// Add keeps x if it is among the k best so far.
func (h *Heap[T]) Add(x T) {
	if len(h.items) < h.k {
		h.items = append(h.items, x)
		for i := len(h.items) - 1; i > 0; {
			parent := (i - 1) / 2
			if !h.better(&h.items[parent], &h.items[i]) {
				break
			}
			h.items[parent], h.items[i] = h.items[i], h.items[parent]
			i = parent
		}
		return
	}
	if h.k <= 0 {
		return
	}
	if h.added = x; h.better(&h.added, &h.items[0]) {
		h.items[0] = h.added
		down(h.items, 0, h.better)
	}
}

// Full reports whether there are k items: from then on only what is better
// than Worst is kept.
func (h *Heap[T]) Full() bool { return len(h.items) >= h.k }

// Worst is the worst item kept. There must be one.
func (h *Heap[T]) Worst() *T { return &h.items[0] }

// Items are those kept, in no order. They are the heap's own: what decides
// which is better must stay as it is.
func (h *Heap[T]) Items() []T { return h.items }

// Sorted returns the items, best first. The heap must not be used afterwards.
func (h *Heap[T]) Sorted() []T {
	// The worst goes to the end, again and again.
	for n := len(h.items) - 1; n > 0; n-- {
		h.items[0], h.items[n] = h.items[n], h.items[0]
		down(h.items[:n], 0, h.better)
	}
	return h.items
}

// Init orders items so that the worst is the first, as Replace wants it.
func Init[T any](items []T, better func(a, b *T) bool) {
	for i := len(items)/2 - 1; i >= 0; i-- {
		down(items, i, better)
	}
}

// Replace puts x in the place of the worst item, which is the first, and brings
// the worst of the rest there.
func Replace[T any](items []T, x T, better func(a, b *T) bool) {
	items[0] = x
	down(items, 0, better)
}

// down moves the item at i to where none below it is worse.
func down[T any](items []T, i int, better func(a, b *T) bool) {
	for {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(items); c++ {
			if better(&items[worst], &items[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		items[i], items[worst] = items[worst], items[i]
		i = worst
	}
}
