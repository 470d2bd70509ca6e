package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
)

// concurrent searches while documents come in, are replaced and deleted, and
// the store is emptied: every result must be one that was true at some moment.
func concurrent(f *fixture) {
	s := searching{fixture: f, found: make(chan struct{}, 1)}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { s.until(done) })
	}
	stop := sync.OnceFunc(func() { close(done); wg.Wait() })
	defer stop()
	for round := range 8 {
		docs := make([]messages.Document, 60)
		for i := range docs {
			docs[i] = Doc(fmt.Sprint("d", i), "", fmt.Sprintf("common words number %d of round %d", i, round))
			docs[i].Deleted = (i+round)%5 == 0
		}
		f.apply(uint64(round+1), docs...)
		if round == 4 {
			s.resets.Add(1)
			if err := f.store.Reset(f.t.Context()); err != nil {
				f.t.Error(err)
			}
			s.resets.Add(1)
		}
		s.awaitSearch()
	}
	stop()
	f.counts(60-12, 60-12)
}

// searching is what concurrent's searches and its changes know of each other.
type searching struct {
	*fixture
	resets atomic.Int64  // begun and ended: odd during one
	found  chan struct{} // a search succeeded since it was last looked at
}

// awaitSearch waits until a search has succeeded: a store that is fast to fill
// would be full before the first of them got its turn.
func (s *searching) awaitSearch() {
	select {
	case <-s.found:
	case <-time.After(time.Minute):
		s.t.Error("nothing was searched meanwhile")
	}
}

// until searches over and over, until done is closed or a search fails.
func (s *searching) until(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		before := s.resets.Load()
		ps, err := s.store.Search(context.Background(), "common number words", 5)
		if err != nil {
			// A store made anew may be away for a moment.
			if after := s.resets.Load(); Permanent(err) || before%2 == 0 && before == after {
				s.t.Errorf("search: %v", err)
				return
			}
			continue
		}
		select {
		case s.found <- struct{}{}:
		default:
		}
		check(s.t, "common number words", 5, ps)
		for i, p := range ps {
			if !strings.Contains(p.Text, "common") {
				s.t.Errorf("result %d: %+v", i+1, p)
			}
		}
	}
}

// many stores a large corpus in batches of 1,000.
func many(f *fixture) {
	if testing.Short() {
		f.t.Skip("the big test takes seconds to minutes")
	}
	n, began := f.o.Many, time.Now()
	for from := 0; from < n; from += 1000 {
		docs := make([]messages.Document, min(1000, n-from))
		for i := range docs {
			docs[i] = Doc(fmt.Sprintf("p%05d", from+i), "", fmt.Sprintf("word%d and term%d, all of them alike", (from+i)%97, (from+i)%7))
		}
		f.apply(uint64(from+len(docs)), docs...)
	}
	stored := time.Since(began)
	f.counts(n, n)
	var want []string
	for i := 96; i < n; i += 97 {
		if i%7 == 6 {
			want = append(want, fmt.Sprintf("p%05d", i))
		}
	}
	want = want[:min(3, len(want))]
	began = time.Now()
	got := ids(f.search("word96 term6", len(want)))
	f.t.Logf("%d passages stored in %v; a search took %v", n, stored, time.Since(began))
	if !slices.Equal(got, want) {
		f.t.Errorf("found %v, want %v", got, want)
	}
	if f.o.Ties == 0 {
		if got := ids(f.search("alike", 3)); !slices.Equal(got, []string{"p00000", "p00001", "p00002"}) {
			f.t.Errorf("of all alike, the first are %v", got)
		}
	}
	if got := f.search("alike", 1500); len(got) != min(n, 1500) {
		f.t.Errorf("%d of %d results", len(got), min(n, 1500))
	}
}
