package sim

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlotsAreUsedWhole runs clients in a closed loop on a clock that waits for
// nobody: the slots are never idle and never shared.
func TestSlotsAreUsedWhole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const parallel, clients, each, latency = 4, 12, 50, 5 * time.Millisecond
		s := newSlots(parallel, clients)
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range each {
					turn, err := s.enter(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					turn.leaveAfter(latency)
					<-turn.done
				}
			})
		}
		wg.Wait()
		u := s.usage()
		if want := clients * each / parallel * latency; u.window != want || u.busy != parallel*want {
			t.Errorf("took %v, busy %v, want %v and %v", u.window, u.busy, want, parallel*want)
		}
		if u.maxWaiting != clients-parallel || u.working != 0 || u.waiting != 0 {
			t.Errorf("%+v", u)
		}
	})
}

// TestLateTimer holds that a slot is taken over when its time was over, not
// when the machine found out.
func TestLateTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(1, 2)
		first, err := s.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		begun := first.start
		first.end = begun.Add(10 * time.Millisecond) // without a timer: it is late
		waited := make(chan *turn)
		go func() {
			second, _ := s.enter(t.Context())
			waited <- second
		}()
		time.Sleep(15 * time.Millisecond)
		lateStart := make(chan *turn)
		go func() {
			third, _ := s.enter(t.Context())
			lateStart <- third
		}()
		synctest.Wait()
		if u := s.usage(); u.busy != 10*time.Millisecond || u.waiting != 2 {
			t.Errorf("%+v before the timer", u)
		}
		time.Sleep(5 * time.Millisecond)
		first.leave()
		second := <-waited
		if got := second.start.Sub(begun); got != 10*time.Millisecond {
			t.Errorf("the next began at %v", got)
		}
		second.leaveAfter(2 * time.Millisecond) // over already, before the third came
		third := <-lateStart
		if got := third.start.Sub(begun); got != 15*time.Millisecond {
			t.Errorf("the last began at %v, before it came", got)
		}
		third.leave()
		if u := s.usage(); u.busy != 17*time.Millisecond {
			t.Errorf("busy %v", u.busy)
		}
	})
}

// TestQueue holds the bound of the queue, its order, and that who gives up
// leaves no hole.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(1, 2)
		working, _ := s.enter(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, err := s.enter(ctx)
			gone <- err
		}()
		synctest.Wait()
		next := make(chan *turn)
		go func() {
			turn, _ := s.enter(t.Context())
			next <- turn
		}()
		synctest.Wait()
		if _, err := s.enter(t.Context()); !errors.Is(err, errBusy) {
			t.Errorf("a full queue says %v", err)
		}
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("who gave up hears %v", err)
		}
		time.Sleep(time.Second)
		working.leave()
		working.leave() // again: nothing happens
		turn := <-next
		if u := s.usage(); u.working != 1 || u.waiting != 0 || u.busy != time.Second || u.maxWaiting != 2 {
			t.Errorf("%+v", u)
		}
		time.Sleep(time.Second)
		s.reset()
		time.Sleep(time.Second)
		if u := s.usage(); u.busy != time.Second || u.window != time.Second {
			t.Errorf("after a reset: %+v", u)
		}
		turn.leaveAfter(10 * time.Second)
		turn.leave() // before its time
		if u := s.usage(); u.working != 0 || u.busy != time.Second {
			t.Errorf("%+v", u)
		}
	})
}
