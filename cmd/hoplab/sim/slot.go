package sim

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// errBusy is Ollama's word for a full queue.
var errBusy = errors.New("server busy, please try again.  maximum pending requests exceeded")

// slots are what requests are worked on in: so many at once, the others wait
// in the order they came.
//
// Time is that of the simulated server: a slot that falls free at its end is
// taken by who waited for it at that same moment, even where the timer fired
// late. So a slot is held for the time drawn, no longer, and one late timer
// does not delay all that come after.
type slots struct {
	mu       sync.Mutex
	parallel int
	queue    int
	working  map[*turn]struct{}
	waiting  list.List // of *turn

	since      time.Time
	busy       time.Duration // of turns that are over, since then
	maxWaiting int
}

// turn is a request's stay in a slot.
type turn struct {
	slots   *slots
	arrived time.Time
	start   time.Time     // when it got its slot
	end     time.Time     // when it is to leave; zero while that is open
	granted chan struct{} // closed when it gets its slot
	done    chan struct{} // closed when it has left
	at      *list.Element // while it waits
	timer   *time.Timer
}

func newSlots(parallel, queue int) *slots {
	return &slots{parallel: parallel, queue: queue, working: map[*turn]struct{}{}, since: time.Now()}
}

// enter waits for a slot. It returns errBusy where too many wait already, or
// the error of ctx.
func (s *slots) enter(ctx context.Context) (*turn, error) {
	t := &turn{slots: s, granted: make(chan struct{}), done: make(chan struct{})}
	s.mu.Lock()
	t.arrived = time.Now()
	if len(s.working) < s.parallel {
		s.grant(t, t.arrived)
	} else if s.waiting.Len() >= s.queue {
		s.mu.Unlock()
		return nil, errBusy
	} else {
		t.at = s.waiting.PushBack(t)
		s.maxWaiting = max(s.maxWaiting, s.waiting.Len())
	}
	s.mu.Unlock()
	select {
	case <-t.granted:
		return t, nil
	case <-ctx.Done():
		t.leave()
		return nil, ctx.Err()
	}
}

// grant gives t a slot. The lock is held.
func (s *slots) grant(t *turn, start time.Time) {
	t.start, t.at = start, nil
	s.working[t] = struct{}{}
	close(t.granted)
}

// leaveAfter ends the turn when it has lasted for d. It is called once.
func (t *turn) leaveAfter(d time.Duration) {
	t.slots.mu.Lock()
	defer t.slots.mu.Unlock()
	t.end = t.start.Add(d)
	t.timer = time.AfterFunc(time.Until(t.end), t.leave)
}

// leave gives the slot, or the place in the queue, to the next. It may be
// called again.
func (t *turn) leave() {
	s := t.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.at != nil {
		s.waiting.Remove(t.at)
		t.at = nil
		return
	}
	if _, ok := s.working[t]; !ok {
		return
	}
	if t.timer != nil {
		t.timer.Stop()
	}
	end := t.until(time.Now())
	delete(s.working, t)
	s.busy += within(s.since, t.start, end)
	close(t.done)
	if first := s.waiting.Front(); first != nil {
		next := s.waiting.Remove(first).(*turn)
		start := end
		if next.arrived.After(start) {
			start = next.arrived
		}
		s.grant(next, start)
	}
}

// until is the turn's end if it has one by now.
func (t *turn) until(now time.Time) time.Time {
	if !t.end.IsZero() && t.end.Before(now) {
		return t.end
	}
	return now
}

// within is the part of start to end that lies after since.
func within(since, start, end time.Time) time.Duration {
	if start.Before(since) {
		start = since
	}
	return max(end.Sub(start), 0)
}

// usage is how much the slots were used.
type usage struct {
	since            time.Time
	window, busy     time.Duration
	working, waiting int
	maxWaiting       int
}

func (s *slots) usage() usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	u := usage{since: s.since, window: now.Sub(s.since), busy: s.busy,
		working: len(s.working), waiting: s.waiting.Len(), maxWaiting: s.maxWaiting}
	for t := range s.working {
		u.busy += within(s.since, t.start, t.until(now))
	}
	return u
}

// reset begins a new measurement; work under way counts from now on.
func (s *slots) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since, s.busy, s.maxWaiting = time.Now(), 0, s.waiting.Len()
}
