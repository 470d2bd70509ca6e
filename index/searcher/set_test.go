package searcher_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// finds returns a searcher that finds the passages named by the letters of ids.
func finds(ids string) searcher.Func {
	return func(context.Context, string, int) ([]messages.Passage, error) {
		var out []messages.Passage
		for i, id := range strings.Split(ids, "") {
			out = append(out, messages.Passage{ID: id, Text: "text of " + id, Score: 10 - float64(i), Rank: i + 1})
		}
		return out, nil
	}
}

func fails(err error) searcher.Func {
	return func(context.Context, string, int) ([]messages.Passage, error) { return nil, err }
}

// sleeps finds a after d, and minds its context or not.
func sleeps(d time.Duration, minds bool) searcher.Func {
	return func(ctx context.Context, _ string, _ int) ([]messages.Passage, error) {
		if !minds {
			ctx = context.Background()
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("given up") // which does not say why
		case <-time.After(d):
			return []messages.Passage{{ID: "a"}}, nil
		}
	}
}

// show writes passages as a(bm25,web) b(web).
func show(passages []messages.Passage) string {
	var out []string
	for _, p := range passages {
		out = append(out, p.ID+"("+strings.Join(p.By, ",")+")")
	}
	return strings.Join(out, " ")
}

func TestSetFuses(t *testing.T) {
	t.Parallel()
	asked := searcher.Func(func(_ context.Context, query string, k int) ([]messages.Passage, error) {
		if query != "one?" || k != 3 {
			t.Errorf("asked for %d of %q", k, query)
		}
		return finds("bcd")(t.Context(), query, k)
	})
	s := searcher.NewSet([]searcher.Member{{Name: "web", Searcher: asked, Timeout: time.Minute}, {Name: "bm25", Searcher: finds("abx")}}, searcher.SetOptions{})
	found, err := s.Search(t.Context(), "one?", 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := show(found.Passages); got != "b(bm25,web) a(bm25) c(web)" || found.Degraded != nil {
		t.Errorf("found %s, degraded %q", got, found.Degraded)
	}
	for i, p := range found.Passages {
		if p.Rank != i+1 || p.Text == "" {
			t.Errorf("%+v is not number %d", p, i+1)
		}
	}
	if got, want := found.Passages[0].Score, 1.0/61+1.0/62; math.Abs(got-want) > 1e-15 {
		t.Errorf("scored %v, want %v", got, want)
	}
}

// TestSetOfOne holds that a single searcher's scores and order stay, whatever
// they are, that it is named, and that the list it hands out is not written to.
func TestSetOfOne(t *testing.T) {
	t.Parallel()
	own := []messages.Passage{{ID: "z", Score: 0.1, Rank: 1}, {ID: "a", Score: 7, Rank: 2}, {ID: "m", Rank: 3}}
	for _, timeout := range []time.Duration{0, time.Minute} {
		s := searcher.NewSet([]searcher.Member{{Name: "bm25", Timeout: timeout, Searcher: searcher.Func(
			func(context.Context, string, int) ([]messages.Passage, error) { return own, nil })}}, searcher.SetOptions{})
		found, err := s.Search(t.Context(), "x", 2)
		if err != nil || show(found.Passages) != "z(bm25) a(bm25)" {
			t.Fatalf("%s, %v", show(found.Passages), err)
		}
		for i, p := range found.Passages {
			if p.Score != own[i].Score || p.Rank != own[i].Rank || own[i].By != nil {
				t.Errorf("%+v was %+v", p, own[i])
			}
		}
	}
}

// TestSetKeepsFinerNames holds that a member which tells who found a passage
// is believed.
func TestSetKeepsFinerNames(t *testing.T) {
	t.Parallel()
	inner := searcher.Func(func(context.Context, string, int) ([]messages.Passage, error) {
		return []messages.Passage{{ID: "a", By: []string{"links", "bm25"}}, {ID: "b"}}, nil
	})
	alone, err := searcher.NewSet([]searcher.Member{{Name: "plain", Searcher: inner}}, searcher.SetOptions{}).Search(t.Context(), "x", 5)
	if err != nil || show(alone.Passages) != "a(bm25,links) b(plain)" {
		t.Errorf("alone: %s, %v", show(alone.Passages), err)
	}
	s := searcher.NewSet([]searcher.Member{{Name: "plain", Searcher: inner}, {Name: "dense", Searcher: finds("ab")}}, searcher.SetOptions{})
	found, err := s.Search(t.Context(), "x", 5)
	if err != nil || show(found.Passages) != "a(bm25,dense,links) b(dense,plain)" {
		t.Errorf("%s, %v", show(found.Passages), err)
	}
}

func TestSetGoesOnWithoutAMember(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bad    searcher.Searcher
		reason string
	}{
		"an error":           {fails(errors.New("broken\npipe")), "web: broken pipe"},
		"for good":           {fails(fault.Permanentf("JSON is off")), "web: JSON is off"},
		"a panic":            {searcher.Func(func(context.Context, string, int) ([]messages.Passage, error) { panic("boo") }), "web: panic: boo"},
		"none at all":        {nil, "web: panic: "},
		"its own time limit": {fails(fmt.Errorf("get: %w", context.DeadlineExceeded)), "web: timeout"},
		"cancels itself":     {fails(context.Canceled), "web: context canceled"},
		"a long story":       {fails(errors.New(strings.Repeat("x", 1<<20))), "web: xxx"},
	} {
		s := searcher.NewSet([]searcher.Member{{Name: "web", Searcher: c.bad}, {Name: "bm25", Searcher: finds("ab")}}, searcher.SetOptions{})
		found, err := s.Search(t.Context(), "x", 5)
		if err != nil || show(found.Passages) != "a(bm25) b(bm25)" {
			t.Errorf("%s: %s, %v", name, show(found.Passages), err)
		}
		if len(found.Degraded) != 1 || !strings.HasPrefix(found.Degraded[0], c.reason) || len(found.Degraded[0]) > 200 {
			t.Errorf("%s: degraded %q", name, found.Degraded)
		}
	}
}

func TestSetFailsOnlyAsAWhole(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		errs  []error
		class fault.Class
		after time.Duration
	}{
		"one, for good":             {[]error{fault.AsPermanent(broken)}, fault.Permanent, 0},
		"one, of no class":          {[]error{broken}, fault.Transient, 0},
		"all for good":              {[]error{fault.AsPermanent(broken), fault.AsPermanent(broken)}, fault.Permanent, 0},
		"one may come back":         {[]error{fault.AsPermanent(broken), fault.AsUnavailable(broken, time.Minute), broken}, fault.Unavailable, time.Minute},
		"the first to come back":    {[]error{fault.AsUnavailable(broken, time.Minute), fault.AsUnavailable(broken, time.Second)}, fault.Unavailable, time.Second},
		"one may be tried again":    {[]error{fault.AsPermanent(broken), broken}, fault.Transient, 0},
		"one later":                 {[]error{fault.RetryAfter(broken, time.Second), fault.AsPermanent(broken)}, fault.Transient, time.Second},
		"a member cancelled itself": {[]error{fault.AsPermanent(broken), context.Canceled}, fault.Transient, 0},
		"all too slow":              {[]error{context.DeadlineExceeded, context.DeadlineExceeded}, fault.Unavailable, 0},
	} {
		var members []searcher.Member
		for i, err := range c.errs {
			members = append(members, searcher.Member{Name: fmt.Sprintf("m%d", i), Searcher: fails(err)})
		}
		_, err := searcher.NewSet(members, searcher.SetOptions{}).Search(t.Context(), "x", 5)
		if class, after := fault.Of(err); err == nil || class != c.class || after != c.after {
			t.Errorf("%s: %v is %v after %v", name, err, class, after)
		}
		if len(c.errs) > 1 && !strings.HasPrefix(err.Error(), "m0: ") || !strings.Contains(err.Error(), fmt.Sprintf("m%d: ", len(c.errs)-1)) {
			t.Errorf("%s: %q does not say whose failures they are", name, err)
		}
	}
	_, err := searcher.NewSet(nil, searcher.SetOptions{}).Search(t.Context(), "x", 5)
	if class, _ := fault.Of(err); err == nil || class != fault.Permanent {
		t.Errorf("no searcher at all: %v", err)
	}
}

// seen collects what a set's Observe is told.
type seen struct {
	mu  sync.Mutex
	all []string
}

func (s *seen) observe(_ context.Context, name, outcome string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, fmt.Sprintf("%s %s %v", name, outcome, took))
}

// TestSetWaitsNoLongerThanAllowed holds that a slow member is left out after
// its own time and a second to return, whether it minds its context or not, and that one which takes
// long within its limits is waited for.
func TestSetWaitsNoLongerThanAllowed(t *testing.T) {
	t.Parallel()
	for _, minds := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var got seen
			s := searcher.NewSet([]searcher.Member{
				{Name: "slow", Searcher: sleeps(time.Hour, minds), Timeout: 3 * time.Second},
				{Name: "bm25", Searcher: finds("ab")},
				{Name: "dense", Searcher: sleeps(2*time.Second, true), Timeout: 4 * time.Second},
				{Name: "early", Searcher: fails(errors.New("broken")), Timeout: time.Second},
			}, searcher.SetOptions{Observe: got.observe})
			start := time.Now()
			found, err := s.Search(t.Context(), "x", 5)
			if err != nil || show(found.Passages) != "a(bm25,dense) b(bm25)" {
				t.Errorf("%s, %v", show(found.Passages), err)
			}
			if took := time.Since(start); took != 4*time.Second {
				t.Errorf("took %v", took)
			}
			if want := []string{"slow: timeout", "early: broken"}; !slices.Equal(found.Degraded, want) {
				t.Errorf("degraded %q, want %q", found.Degraded, want)
			}
			want := []string{"slow timeout 4s", "bm25 ok 0s", "dense ok 2s", "early failed 0s"}
			if !slices.Equal(got.all, want) {
				t.Errorf("seen %q, want %q", got.all, want)
			}
			time.Sleep(time.Hour) // for the one that minds nothing
		})
	}
}

// TestSetWaitsForNobodyWithoutCaller holds that a search ends when its caller
// does, with the caller's reason, and counts against nobody.
func TestSetWaitsForNobodyWithoutCaller(t *testing.T) {
	t.Parallel()
	for name, members := range map[string][]searcher.Member{
		"several":           {{Name: "a", Searcher: sleeps(time.Hour, false)}, {Name: "b", Searcher: finds("ab"), Timeout: time.Minute}},
		"one":               {{Name: "a", Searcher: sleeps(time.Hour, true)}},
		"one with a limit":  {{Name: "a", Searcher: sleeps(time.Hour, false), Timeout: 2 * time.Hour}},
		"ends just in time": {{Name: "a", Searcher: finds("ab")}, {Name: "b", Searcher: sleeps(time.Second, false)}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got seen
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second/2, cancel)
			start := time.Now()
			_, err := searcher.NewSet(members, searcher.SetOptions{Observe: got.observe}).Search(ctx, "x", 5)
			if !errors.Is(err, context.Canceled) || time.Since(start) != time.Second/2 || len(got.all) > 0 {
				t.Errorf("%s: %v after %v, seen %q", name, err, time.Since(start), got.all)
			}
			if class, _ := fault.Of(err); class != fault.Cancelled {
				t.Errorf("%s: %v is %v", name, err, class)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}

func TestSetObserves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got seen
		s := searcher.NewSet([]searcher.Member{{Name: "web", Searcher: fails(nil)}}, searcher.SetOptions{Observe: got.observe})
		if found, err := s.Search(t.Context(), "x", 5); err != nil || len(found.Passages) != 0 || !slices.Equal(got.all, []string{"web empty 0s"}) {
			t.Errorf("%+v, %v, %q", found, err, got.all)
		}
	})
}

// TestSetIsDeterministic asks a set whose members return in any order, many
// times at once.
func TestSetIsDeterministic(t *testing.T) {
	t.Parallel()
	jitter := func(s searcher.Searcher) searcher.Func {
		return func(ctx context.Context, q string, k int) ([]messages.Passage, error) {
			time.Sleep(time.Duration(rand.Int64N(int64(time.Millisecond))))
			return s.Search(ctx, q, k)
		}
	}
	s := searcher.NewSet([]searcher.Member{
		{Name: "c", Searcher: jitter(finds("abcdefgh")), Timeout: time.Minute},
		{Name: "b", Searcher: jitter(finds("hgfedcba"))},
		{Name: "x", Searcher: jitter(fails(errors.New("one")))},
		{Name: "a", Searcher: jitter(finds("dexyz")), Timeout: time.Minute},
		{Name: "y", Searcher: jitter(fails(errors.New("two")))},
	}, searcher.SetOptions{Observe: func(context.Context, string, string, time.Duration) {}})
	want, err := s.Search(t.Context(), "x", 10)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if got, err := s.Search(t.Context(), "x", 10); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v\nwant %+v", got, err, want)
			}
		})
	}
	group.Wait()
}

// told is a searcher that tells what it searched for.
type told struct {
	searcher.Func
	queries []string
}

// SearchTold is Search, and tells.
func (s told) SearchTold(ctx context.Context, query string, k int) ([]messages.Passage, []string, error) {
	found, err := s.Search(ctx, query, k)
	return found, s.queries, err
}

// TestSetTellsQueries holds that what members searched for in place of the query
// is told, each once, and of members that failed is not.
func TestSetTellsQueries(t *testing.T) {
	t.Parallel()
	many := make([]string, messages.MaxQueries)
	for i := range many {
		many[i] = fmt.Sprint("m", i)
	}
	for name, c := range map[string]struct {
		members []searcher.Member
		want    []string
	}{
		"none":  {[]searcher.Member{{Name: "a", Searcher: finds("a")}}, nil},
		"alone": {[]searcher.Member{{Name: "a", Searcher: told{finds("a"), []string{"x", "y"}}}}, []string{"x", "y"}},
		"several": {[]searcher.Member{{Name: "a", Searcher: told{finds("a"), []string{"x", "y"}}}, {Name: "b", Searcher: finds("b")},
			{Name: "c", Searcher: told{finds("c"), []string{"y", "z"}}}, {Name: "d", Searcher: told{fails(errors.New("no")), []string{"w"}}}}, []string{"x", "y", "z"}},
		"too many": {[]searcher.Member{{Name: "a", Searcher: told{finds("a"), []string{"x"}}}, {Name: "b", Searcher: told{finds("a"), many}}}, append([]string{"x"}, many[:len(many)-1]...)},
	} {
		found, err := searcher.NewSet(c.members, searcher.SetOptions{}).Search(t.Context(), "q", 5)
		if err != nil || !slices.Equal(found.Queries, c.want) {
			t.Errorf("%s: told %q, %v; want %q", name, found.Queries, err, c.want)
		}
	}
}

// TestSetDepth holds how many passages each member is asked for, and how many are
// returned: a single one as many as are wanted, several the depth, or their share
// where that is more.
func TestSetDepth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ members, depth, k, each, found int }{
		{1, 10, 3, 3, 3}, {1, 2, 5, 5, 5}, {2, 10, 3, 10, 3}, {3, 10, 30, 10, 30}, {3, 10, 31, 11, 31}, {2, 0, 7, 7, 7}, {3, 4, 0, 4, 0},
	} {
		var members []searcher.Member
		for m := range c.members {
			members = append(members, searcher.Member{Name: fmt.Sprint("m", m), Searcher: searcher.Func(func(_ context.Context, _ string, k int) ([]messages.Passage, error) {
				if k != c.each {
					t.Errorf("%+v: asked for %d", c, k)
				}
				out := make([]messages.Passage, k)
				for i := range out {
					out[i].ID = fmt.Sprint(m, "-", i)
				}
				return out, nil
			})})
		}
		found, err := searcher.NewSet(members, searcher.SetOptions{Depth: c.depth}).Search(t.Context(), "q", c.k)
		if err != nil || len(found.Passages) != c.found {
			t.Errorf("%+v: %d passages, %v", c, len(found.Passages), err)
		}
	}
}
