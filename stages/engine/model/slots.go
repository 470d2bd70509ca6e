package model

import (
	"container/heap"
	"context"
	"sync"

	"hopstream/stages/meter"
)

// Slots bound how many requests are at a server at once. Of those that wait, the
// most urgent goes first (meter.Urgency), and of equally urgent ones the one that
// has waited longest. It is safe for concurrent use.
type Slots struct {
	n int

	mu      sync.Mutex
	busy    int
	arrived uint64
	waiting queue
}

// NewSlots returns n slots.
func NewSlots(n int) *Slots { return &Slots{n: n} }

// N returns how many there are.
func (s *Slots) N() int { return s.n }

// waiter is a request without a slot.
type waiter struct {
	urgency meter.Urgency
	arrived uint64
	granted chan struct{} // closed when it has its slot
	at      int           // in the queue; -1 when it is not there
}

func newWaiter(u meter.Urgency) *waiter {
	return &waiter{urgency: u, granted: make(chan struct{}), at: -1}
}

// acquire waits for a slot, which release gives back. It fails with ctx's error.
func (s *Slots) acquire(ctx context.Context, w *waiter) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	s.mu.Lock()
	if s.busy < s.n {
		s.busy++
		s.mu.Unlock()
		return nil
	}
	s.arrived++
	w.arrived = s.arrived
	heap.Push(&s.waiting, w)
	s.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.at < 0 { // granted in the same moment: the next one has it
		s.next()
		return context.Cause(ctx)
	}
	heap.Remove(&s.waiting, w.at)
	return context.Cause(ctx)
}

// raise makes a request as urgent as u, unless it is more urgent already: somebody
// else waits for it too.
func (s *Slots) raise(w *waiter, u meter.Urgency) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.Compare(w.urgency) >= 0 {
		return
	}
	w.urgency = u
	if w.at >= 0 {
		heap.Fix(&s.waiting, w.at)
	}
}

// release gives a slot back.
func (s *Slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next()
}

// next gives a slot that is free to who goes first. The lock is held.
func (s *Slots) next() {
	if len(s.waiting) == 0 {
		s.busy--
		return
	}
	w := heap.Pop(&s.waiting).(*waiter)
	close(w.granted)
}

// queue is a heap of those that wait, the next one first.
type queue []*waiter

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if d := q[i].urgency.Compare(q[j].urgency); d != 0 {
		return d < 0
	}
	return q[i].arrived < q[j].arrived
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

func (q *queue) Push(x any) {
	w := x.(*waiter)
	w.at = len(*q)
	*q = append(*q, w)
}

func (q *queue) Pop() any {
	all := *q
	w := all[len(all)-1]
	all[len(all)-1] = nil
	*q, w.at = all[:len(all)-1], -1
	return w
}
