package model

import (
	"context"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watcher remembers what an observer is told.
type watcher struct {
	mu       sync.Mutex
	outcomes map[Outcome]int
	events   map[Event]int
	flying   int
	most     int
}

func watching() *watcher { return &watcher{outcomes: map[Outcome]int{}, events: map[Event]int{}} }

func (w *watcher) Call(_ context.Context, c Call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outcomes[c.Outcome]++
}

func (w *watcher) Event(_, _ string, e Event, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events[e] += n
}

func (w *watcher) InFlight(_ string, delta int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flying += delta
	w.most = max(w.most, w.flying)
}

func (w *watcher) outcome(o Outcome) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.outcomes[o]
}

func (w *watcher) event(e Event) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events[e]
}
