package docstream

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/messages"
)

// held is a store that takes nothing in until it is let, and counts resets.
type held struct {
	*bleve.Store
	let chan struct{} // closed: everything

	mu     sync.Mutex
	resets int
}

func (h *held) Apply(ctx context.Context, docs []messages.Document, p index.Position) error {
	select {
	case <-h.let:
	case <-ctx.Done():
		return ctx.Err()
	}
	return h.Store.Apply(ctx, docs, p)
}

func (h *held) Reset(ctx context.Context) error {
	h.mu.Lock()
	h.resets++
	h.mu.Unlock()
	return h.Store.Reset(ctx)
}

func (h *held) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.resets
}

func holding(tb testing.TB) *held {
	return &held{Store: openTest(tb, ""), let: make(chan struct{})}
}

// TestFollowPastDeleted holds that a store gets to the stream's end, soon after
// somebody waits for it, where the last documents are gone before they are read.
func TestFollowPastDeleted(t *testing.T) {
	t.Parallel()
	for name, purge := range map[string]bool{"deleted": false, "purged": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := startNATS(t)
			s := ensure(t, js)
			h := holding(t)
			f, _ := follow(t, js, h, FollowOptions{Batch: 1, Check: time.Hour})
			last := publish(t, js, numbered(20, "x")...).LastSeq
			// The first one is being taken in, and a few may be on their way.
			for seq := last - 9; seq <= last; seq++ {
				if purge {
					if err := s.Purge(within(t)); err != nil {
						t.Fatal(err)
					}
					break
				}
				if err := s.DeleteMsg(within(t), seq); err != nil {
					t.Fatal(err)
				}
			}
			close(h.let)
			waitFor(t, f, last)
			if purge {
				eventually(t, "an empty store", func() bool { return h.Documents() == 0 })
				return
			}
			wantCounts(t, h.Store, 10, 10)
			if got := h.Position().Sequence; got != last {
				t.Errorf("the store stands at %d of %d", got, last)
			}
		})
	}
}

// TestFollowPurgedWhileRunning holds that what was purged is not found any
// more, and that the store is emptied once.
func TestFollowPurgedWhileRunning(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	s := ensure(t, js)
	h := holding(t)
	close(h.let)
	f, _ := follow(t, js, h, FollowOptions{Check: 10 * time.Millisecond})
	waitFor(t, f, publish(t, js, numbered(20, "x")...).LastSeq)
	before, err := f.Reach(within(t), 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(within(t)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "an empty store", func() bool { return h.Documents() == 0 })
	after, err := f.Reach(within(t), 20)
	if err != nil || after.Epoch == before.Epoch {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
	for range 3 { // idle for some checks
		seq := publish(t, js, doc("a", "", time.Now().String())).LastSeq
		waitFor(t, f, seq)
		if err := s.DeleteMsg(within(t), seq); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the next look", func() bool { return f.Progress().Interrupted == "" && h.Documents() == 0 })
	}
	resets := h.count()
	last, err := f.Reach(within(t), 23)
	if err != nil || last.Loading {
		t.Errorf("%+v, %v", last, err)
	}
	lookTwice(t, f)
	if h.count() != resets {
		t.Errorf("an empty store is emptied again: %d times, then %d", resets, h.count())
	}
}

// lookTwice has an idle follower look where the stream ends, twice.
func lookTwice(t *testing.T, f *Follower) {
	t.Helper()
	for range 2 {
		f.nudge()
		eventually(t, "an answer to a nudge", func() bool { return !f.isNudged() })
	}
}

// TestProgress follows a store from the start to a stream made anew.
func TestProgress(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	publish(t, js, numbered(11, "x")...)
	h := holding(t)
	f, err := Follow(within(t), js, names, h, FollowOptions{Check: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	lacks := func(seq uint64, words string) {
		t.Helper()
		soon, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := f.Reach(soon, seq); err == nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), words) {
			t.Errorf("%v does not say %q", err, words)
		}
	}
	lacks(0, "does not follow the document stream: it has not begun yet")
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := f.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	defer wg.Wait()
	defer cancel()
	eventually(t, "it follows", func() bool { return f.Progress().Interrupted == "" })
	lacks(0, "the index is loading: documents up to 0 of 11")
	soon, gone := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer gone()
	if err := f.Ready(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ready while loading: %v", err)
	}
	close(h.let)
	if err := f.Ready(within(t)); err != nil {
		t.Fatal(err)
	}
	first, err := f.Reach(within(t), 11)
	if err != nil || first.Applied != 11 {
		t.Fatalf("%+v, %v", first, err)
	}
	lacks(43158, "the index holds documents up to 11 of 43,158")

	// In a stream made anew the old position means nothing, from the moment on
	// that the old stream is gone.
	if err := js.DeleteStream(within(t), names.Stream(messages.KindDocument)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is interrupted", func() bool { return f.Progress().Interrupted != "" })
	lacks(0, "does not follow the document stream")
	ensure(t, js)
	last := publish(t, js, numbered(3, "y")...).LastSeq
	second, err := f.Reach(within(t), last)
	if err != nil || second.Epoch == first.Epoch {
		t.Errorf("%+v, %v", second, err)
	}
	wantCounts(t, h.Store, 3, 3)
}

// TestProgressOfAStoreThatWasEmptied: its position went back without the
// follower's doing.
func TestProgressOfAStoreThatWasEmptied(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	s := ensure(t, js)
	h := holding(t)
	close(h.let)
	f, _ := follow(t, js, h, FollowOptions{})
	last := publish(t, js, numbered(20, "x")...).LastSeq
	waitFor(t, f, last)
	before := f.Progress()
	if err := h.Store.Reset(within(t)); err != nil {
		t.Fatal(err)
	}
	for name := range s.ConsumerNames(within(t)).Name() { // so that it begins again
		if err := s.DeleteConsumer(within(t), name); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "another epoch", func() bool { return f.Progress().Epoch != before.Epoch })
	if _, err := f.Reach(within(t), last); err != nil {
		t.Fatal(err)
	}
	wantCounts(t, h.Store, 20, 20)
}

func TestGrouped(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 43158: "43,158", 1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
