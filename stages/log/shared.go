package log

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Shared merges concurrent requests for the same value into one, like a
// singleflight, except that a caller never gets the result of a request that
// began before the call: callers that come while one is under way share the
// next one. Its owner calls Close.
type Shared[T any] struct {
	ask  func(context.Context) (T, error)
	rest time.Duration

	ctx    context.Context // of every request; ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup // the goroutine that calls ask, while somebody waits

	mu     sync.Mutex
	asking bool       // the goroutine runs
	next   *Result[T] // of the next request; nil while nobody waits for it
}

// NewShared returns a Shared whose requests call ask, which must return when its
// context ends. After a request that several callers shared, the next one begins
// no earlier than rest later, so that more callers gather for it. After a
// request of a single caller there is no delay.
func NewShared[T any](rest time.Duration, ask func(context.Context) (T, error)) *Shared[T] {
	s := &Shared[T]{ask: ask, rest: rest}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Result is the outcome of a request, which callers wait for.
type Result[T any] struct {
	callers int // guarded by Shared.mu
	done    chan struct{}
	value   T
	err     error
}

// errClosed is the outcome of requests after Close.
var errClosed = errors.New("closed")

// Begin joins the next request, starting the goroutine that makes it if needed.
func (s *Shared[T]) Begin() *Result[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = &Result[T]{done: make(chan struct{})}
	}
	r := s.next
	r.callers++
	switch {
	case s.asking:
	case s.ctx.Err() != nil:
		r.err = errClosed
		s.next = nil
		close(r.done)
	default:
		s.asking = true
		s.wg.Go(s.run) // ends when nobody waits, or with Close
	}
	return r
}

// Wait returns the result, or why it did not come before ctx ended.
func (r *Result[T]) Wait(ctx context.Context) (T, error) {
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Get is Begin and Wait.
func (s *Shared[T]) Get(ctx context.Context) (T, error) { return s.Begin().Wait(ctx) }

// Close ends a request under way, and makes every later one fail.
func (s *Shared[T]) Close() {
	s.mu.Lock() // so that no goroutine begins after the wait
	s.cancel()
	s.mu.Unlock()
	s.wg.Wait()
}

// run makes requests until nobody waits any more.
func (s *Shared[T]) run() {
	for {
		s.mu.Lock()
		r := s.next
		s.next = nil // later callers wait for the next request
		if r == nil {
			s.asking = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		if s.ctx.Err() != nil {
			r.err = errClosed
		} else {
			r.value, r.err = s.ask(s.ctx)
		}
		s.mu.Lock()
		shared := r.callers > 1 // nobody joins r any more
		s.mu.Unlock()
		close(r.done)
		if shared && s.rest > 0 {
			pause(s.ctx, s.rest)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
