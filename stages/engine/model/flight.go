package model

import (
	"context"
	"sync"
	"time"

	"hopstream/stages/meter"
)

// flight is one call of the server that any number of identical requests wait
// for. It ends when it has its result, or when nobody waits any more: each waits
// as long as its own time allows, so that whoever has the most decides.
type flight[T any] struct {
	done    chan struct{}
	place   *waiter       // for a slot, as urgent as the most urgent of those who wait
	begun   chan struct{} // closed when the server is asked
	since   time.Time     // when that was
	waiters int
	cancel  context.CancelFunc

	value       T
	err         error
	queue, took time.Duration
}

// begin notes that the server is asked now.
func (f *flight[T]) begin() {
	f.since = time.Now()
	close(f.begun)
}

// patience is how long a caller waits: until then, and where the server is not
// asked yet, only as long as the usual time is left for the reply. The zero value
// is as long as its context lasts.
type patience struct {
	until time.Time
	usual time.Duration
}

// bound returns ctx with the end of the waiting, and with the end of the waiting
// for a slot; both end with meter.ErrLate.
func (p patience) bound(ctx context.Context) (reply, slot context.Context, cancel func()) {
	if p.until.IsZero() {
		return ctx, ctx, func() {}
	}
	reply, cancelReply := context.WithDeadlineCause(ctx, p.until, meter.ErrLate)
	slot, cancelSlot := context.WithDeadlineCause(reply, p.until.Add(-p.usual), meter.ErrLate)
	return reply, slot, func() {
		cancelSlot()
		cancelReply()
	}
}

// end is how a call ended.
type end struct {
	landed             bool // the request ended; false where none was made, or the caller left before
	shared             bool // the request is another caller's, who pays for it
	taken              bool // the caller was admitted to make it
	err                error
	queue, took        time.Duration
	prompt, completion int // tokens
}

// flights joins identical requests, which are made in slots.
type flights[T any] struct {
	slots *Slots

	mu      sync.Mutex
	flying  map[string]*flight[T]
	running sync.WaitGroup
}

// join returns the result of the request with that key. If an identical request
// is in flight, join waits for its result, and end.shared is set. Otherwise it
// calls admit, whose error it returns, and then fn, which makes the request and
// says with begin when the server is asked.
func (s *flights[T]) join(ctx context.Context, key string, wait patience, admit func() error, fn func(context.Context, *flight[T])) (value T, e end) {
	ctx, slot, cancel := wait.bound(ctx)
	defer cancel()
	start, urgency := time.Now(), meter.From(ctx).Urgency()
	s.mu.Lock()
	f, shared := s.flying[key]
	if shared {
		s.slots.raise(f.place, urgency)
	} else {
		err := context.Cause(slot)
		if err == nil {
			err = admit()
		}
		if err != nil {
			s.mu.Unlock()
			return value, end{err: err}
		}
		f = s.take(context.WithoutCancel(ctx), key, newWaiter(urgency), fn)
	}
	f.waiters++
	s.mu.Unlock()
	if f.wait(ctx, slot) {
		return f.value, end{landed: true, shared: shared, taken: !shared, err: f.err, queue: f.queue, took: f.took}
	}
	e = end{shared: shared, taken: !shared, err: context.Cause(slot)}
	e.queue, e.took = f.spent(start)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		f.cancel()
		if s.flying[key] == f { // nobody may join a request that is being cancelled
			delete(s.flying, key)
		}
	}
	return value, e
}

// take begins a flight. The request outlives the one who made it while others
// wait for it. The lock is held.
func (s *flights[T]) take(ctx context.Context, key string, place *waiter, fn func(context.Context, *flight[T])) *flight[T] {
	run, cancel := context.WithCancel(ctx)
	f := &flight[T]{done: make(chan struct{}), begun: make(chan struct{}), place: place, cancel: cancel}
	if s.flying == nil {
		s.flying = map[string]*flight[T]{}
	}
	s.flying[key] = f
	s.running.Go(func() {
		defer close(f.done)
		defer s.land(key, f)
		defer cancel()
		fn(run, f)
	})
	return f
}

// wait reports whether the flight has its result before ctx ends, or slot before
// the server is asked.
func (f *flight[T]) wait(ctx, slot context.Context) bool {
	select {
	case <-f.begun: // whatever is left: it may end at any moment
	default:
		select {
		case <-f.done:
			return true
		case <-f.begun:
		case <-slot.Done():
			return false
		}
	}
	select {
	case <-f.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// spent is how long a caller that leaves has waited since start for a slot, and
// for the server.
func (f *flight[T]) spent(start time.Time) (queue, took time.Duration) {
	now := time.Now()
	select {
	case <-f.begun:
		queue = max(0, f.since.Sub(start))
		return queue, max(1, now.Sub(start)-queue)
	default:
		return now.Sub(start), 0
	}
}

// land removes a flight that has ended.
func (s *flights[T]) land(key string, f *flight[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flying[key] == f {
		delete(s.flying, key)
	}
}

// wait returns when no request is in flight any more.
func (s *flights[T]) wait() { s.running.Wait() }
