package model

import (
	"context"
	"sync"
	"time"
)

// flight is one call of the server that any number of identical requests wait
// for. It ends when it has its result, or when nobody waits any more.
type flight[T any] struct {
	done    chan struct{}
	waiters int
	cancel  context.CancelFunc

	value       T
	err         error
	queue, took time.Duration
}

// flights joins identical requests.
type flights[T any] struct {
	mu      sync.Mutex
	flying  map[string]*flight[T]
	running sync.WaitGroup
}

// join returns the result of the request with that key. If an identical request
// is in flight, join waits for its result, and shared is true. Otherwise it calls
// admit, whose error it returns, and then fn, which makes the request.
func (s *flights[T]) join(ctx context.Context, key string, admit func() error, fn func(context.Context, *flight[T])) (result *flight[T], shared bool, err error) {
	s.mu.Lock()
	f, shared := s.flying[key]
	if !shared {
		if err := admit(); err != nil {
			s.mu.Unlock()
			return nil, false, err
		}
		// The request outlives the one who made it while others wait for it.
		run, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight[T]{done: make(chan struct{}), cancel: cancel}
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
	}
	f.waiters++
	s.mu.Unlock()
	select {
	case <-f.done:
		return f, shared, f.err
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		f.cancel()
		if s.flying[key] == f { // nobody may join a request that is being cancelled
			delete(s.flying, key)
		}
	}
	return nil, shared, context.Cause(ctx)
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
