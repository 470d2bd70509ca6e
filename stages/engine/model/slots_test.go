package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// TestSlotsGoToTheMostUrgent holds the order in which waiting requests get a
// slot: by priority, by the calls that are left, by deadline, by arrival.
func TestSlotsGoToTheMostUrgent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		waiting := []struct {
			name string
			meter.Urgency
		}{ // in the order of arrival
			{"bulk, last call", meter.Urgency{Priority: messages.Bulk, Remaining: 1, Deadline: now}},
			{"normal, late", meter.Urgency{Priority: messages.Normal, Remaining: 2, Deadline: now.Add(time.Minute)}},
			{"unsaid, early", meter.Urgency{Remaining: 2, Deadline: now}},
			{"normal, many calls", meter.Urgency{Priority: messages.Normal, Remaining: 5, Deadline: now}},
			{"normal, many calls, later", meter.Urgency{Priority: messages.Normal, Remaining: 5, Deadline: now}},
			{"interactive", meter.Urgency{Priority: messages.Interactive, Remaining: 8, Deadline: now.Add(time.Hour)}},
		}
		s := NewSlots(1)
		if err := s.acquire(t.Context(), newWaiter(meter.Urgency{})); err != nil {
			t.Fatal(err)
		}
		var got []string
		var wg sync.WaitGroup
		for _, w := range waiting {
			wg.Go(func() {
				if err := s.acquire(t.Context(), newWaiter(w.Urgency)); err != nil {
					t.Error(err)
				}
				got = append(got, w.name) // whoever has the slot
				s.release()
			})
			synctest.Wait()
		}
		s.release()
		wg.Wait()
		want := []string{"interactive", "unsaid, early", "normal, late", "normal, many calls", "normal, many calls, later", "bulk, last call"}
		if !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
	})
}

// TestWaiterLeaves holds that a request which no longer waits takes no slot.
func TestWaiterLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.acquire(t.Context(), newWaiter(meter.Urgency{})); err != nil {
			t.Fatal(err)
		}
		why := errors.New("why")
		ctx, leave := context.WithCancelCause(t.Context())
		left, next := make(chan error, 1), make(chan error, 1)
		go func() { left <- s.acquire(ctx, newWaiter(meter.Urgency{Priority: messages.Interactive})) }()
		synctest.Wait()
		go func() { next <- s.acquire(t.Context(), newWaiter(meter.Urgency{})) }()
		synctest.Wait()
		leave(why)
		if err := <-left; !errors.Is(err, why) {
			t.Error(err)
		}
		s.release()
		if err := <-next; err != nil {
			t.Error(err)
		}
		s.release()
		if s.busy != 0 || len(s.waiting) != 0 {
			t.Errorf("%d busy, %d waiting", s.busy, len(s.waiting))
		}
		if err := s.acquire(ctx, newWaiter(meter.Urgency{})); !errors.Is(err, why) || s.busy != 0 {
			t.Errorf("whoever does not wait is given one: %v", err)
		}
	})
}

// TestNoSlotIsLost holds that after any interleaving of requests that wait, give
// up and work no slot is lost, and that there are never too many at work.
func TestNoSlotIsLost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			s := NewSlots(1 + rng.IntN(4))
			var mu sync.Mutex
			working := 0
			var wg sync.WaitGroup
			for range 200 {
				arrives, waits := time.Duration(rng.IntN(50)), time.Duration(1+rng.IntN(20)) // often the same moment as a release
				works, u := time.Duration(rng.IntN(6)), meter.Urgency{Remaining: rng.IntN(3)}
				wg.Go(func() {
					time.Sleep(arrives)
					ctx, cancel := context.WithTimeout(t.Context(), waits)
					defer cancel()
					if s.acquire(ctx, newWaiter(u)) != nil {
						return
					}
					mu.Lock()
					if working++; working > s.N() {
						t.Errorf("%d at work, of %d", working, s.N())
					}
					mu.Unlock()
					time.Sleep(works)
					mu.Lock()
					working--
					mu.Unlock()
					s.release()
				})
			}
			wg.Wait()
			if s.busy != 0 || len(s.waiting) != 0 {
				t.Errorf("seed %d: %d busy, %d waiting", seed, s.busy, len(s.waiting))
			}
		})
	}
}
