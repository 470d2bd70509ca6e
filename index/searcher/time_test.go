package searcher

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/meter"
)

// forgone collects what searches say that they go on without.
type forgone struct {
	mu  sync.Mutex
	all []string
}

func (f *forgone) giveUp(_ context.Context, what string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, what+": "+err.Error())
}

// slowly makes the roles of e up to and with the named one immediate, and that
// one wait until its context ends.
func slowly(role string) *roles.Set {
	wait := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	op := func(ctx context.Context, _ string, _ []string, _ []messages.Passage) (string, error) {
		return "", wait(ctx)
	}
	e := &roles.Set{
		VerifyFunc: func(context.Context, string, []messages.Passage) (bool, error) { return false, nil },
		EmbedFunc: func(_ context.Context, texts []string) ([][]float32, error) {
			return make([][]float32, len(texts)), nil
		},
		EmphasiseFunc: func(context.Context, string, []string, []messages.Passage) (string, error) { return "bridge", nil },
	}
	switch role {
	case "keywords":
		e.KeywordsFunc = func(ctx context.Context, _ string) ([]string, error) { return nil, wait(ctx) }
	case "verify":
		e.VerifyFunc = func(ctx context.Context, _ string, _ []messages.Passage) (bool, error) { return false, wait(ctx) }
	case "extend":
		e.ExtendFunc = op
	case "pseudo-document":
		e.PseudoDocumentFunc = func(ctx context.Context, _ string, _ []messages.Passage) (string, error) { return "", wait(ctx) }
	case "hypothesise":
		e.HypothesiseFunc = func(ctx context.Context, _ string) ([]string, error) { return nil, wait(ctx) }
	case "statements":
		e.StatementsFunc = func(ctx context.Context, _ string, _ []string) ([]string, error) { return nil, wait(ctx) }
	}
	return e
}

// stocked is a store that minds its context and finds the same passages for all.
type stocked []messages.Passage

func (s stocked) Search(ctx context.Context, _ string, k int) ([]messages.Passage, error) {
	return s[:min(k, len(s))], ctx.Err()
}

func (s stocked) Find(ctx context.Context, _ index.Query, k int) ([]messages.Passage, error) {
	return s.Search(ctx, "", k)
}

func (s stocked) Near(ctx context.Context, _ []float32, k int) ([]messages.Passage, error) {
	return s.Search(ctx, "", k)
}

// TestTimeUp holds that a searcher whose time runs out in any of its roles
// returns what it has by then, at once, and says what is missing; whether it is
// its own time or its question's.
func TestTimeUp(t *testing.T) {
	t.Parallel()
	store := stocked(list("a", "b"))
	sparse := func(e *roles.Set, g GiveUp) Searcher { return NewSparse(store, e, e, e, SparseOptions{OnGiveUp: g}) }
	dense := func(e *roles.Set, g GiveUp) Searcher { return NewDense(store, e, e, e, DenseOptions{OnGiveUp: g}) }
	intents := func(e *roles.Set, g GiveUp) Searcher { return NewIntents(store, e, IntentsOptions{OnGiveUp: g}) }
	overDense := func(e *roles.Set, g GiveUp) Searcher {
		return NewDenseIntents(store, e, e, IntentsOptions{OnGiveUp: g})
	}
	for _, c := range []struct {
		role, told string
		make       func(*roles.Set, GiveUp) Searcher
	}{
		{"keywords", "sparse keywords", sparse},
		{"verify", "sparse refinement: verify", sparse},
		{"extend", "sparse refinement: extend", sparse},
		{"verify", "dense refinement: verify", dense},
		{"pseudo-document", "dense refinement: pseudo-document", dense},
		{"hypothesise", "intents statements", intents},
		{"statements", "intents statements", intents},
		{"statements", "intents statements", overDense},
	} {
		for _, own := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				var told forgone
				m := Member{Name: "m", Searcher: c.make(slowly(c.role), told.giveUp)}
				var o SetOptions
				if own {
					m.Timeout = 5 * time.Second
				} else {
					at := time.Now().Add(5 * time.Second)
					o.Deadline = func(context.Context) (time.Time, bool) { return at, true }
				}
				start := time.Now()
				found, err := NewSet([]Member{m}, o).Search(t.Context(), "red bridge", 5)
				if err != nil || len(found.Passages) != 2 || found.Degraded != nil || time.Since(start) > 5*time.Second || time.Since(start) < 4*time.Second {
					t.Errorf("%s: %+v, %v after %v", c.told, found, err, time.Since(start))
				}
				if want := c.told + ": " + context.DeadlineExceeded.Error(); !slices.Equal(told.all, []string{want}) {
					t.Errorf("told %q, want %q", told.all, want)
				}
			})
		}
	}
	// Without a vector there is nothing to search with.
	synctest.Test(t, func(t *testing.T) {
		var told forgone
		e := slowly("")
		e.EmbedFunc = func(ctx context.Context, _ []string) ([][]float32, error) { <-ctx.Done(); return nil, ctx.Err() }
		found, err := NewSet([]Member{{Name: "dense", Searcher: overDense(e, told.giveUp), Timeout: time.Second}, {Name: "words", Searcher: store}}, SetOptions{}).Search(t.Context(), "q", 5)
		if err != nil || len(found.Passages) != 2 || !slices.Equal(found.Degraded, []string{"dense: timeout"}) || told.all != nil {
			t.Errorf("%+v, %v, told %q", found, err, told.all)
		}
	})
}

// TestNoTimeToBegin holds that a search whose time is over as it begins asks no
// role, and finds what the query's own words do.
func TestNoTimeToBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &parts{}
		var told forgone
		d := &Deps{Stores: p, Roles: p, Depth: 5, Refinements: 3, Verifications: 28, OnGiveUp: told.giveUp}
		at := time.Now().Add(-time.Minute)
		o := SetOptions{Deadline: func(context.Context) (time.Time, bool) { return at, true }}
		for _, name := range []string{NameSparse, NameIntents, NameBM25} {
			row, _ := Lookup(name)
			s, err := row.New(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			found, err := NewSet([]Member{{Name: name, Searcher: s}}, o).Search(t.Context(), "what is alpha", 3)
			if err != nil || len(found.Passages) != 1 || len(p.asked) > 0 {
				t.Errorf("%s: %+v, %v, asked %v", name, found, err, p.asked)
			}
		}
		if want := []string{"sparse keywords: context deadline exceeded", "intents statements: context deadline exceeded"}; !slices.Equal(told.all, want) {
			t.Errorf("told %q, want %q", told.all, want)
		}
	})
}

// TestLeftBehind holds that a store which hangs is left behind a second after the
// question's time, that the other members' passages are returned, and that the
// reason is the question's time.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		defer close(ended)
		hangs := Func(func(context.Context, string, int) ([]messages.Passage, error) { <-ended; return nil, nil })
		at := time.Now().Add(5 * time.Second)
		o := SetOptions{Deadline: func(context.Context) (time.Time, bool) { return at, true }}
		members := []Member{{Name: "hangs", Searcher: hangs, Timeout: time.Minute}, {Name: "words", Searcher: stocked(list("a"))}}
		start := time.Now()
		found, err := NewSet(members, o).Search(t.Context(), "q", 5)
		if err != nil || len(found.Passages) != 1 || messages.OutOfTime(found.Degraded) != "hangs: "+messages.NoTime || time.Since(start) != 6*time.Second {
			t.Errorf("%+v, %v after %v", found, err, time.Since(start))
		}
		// A caller whose context ends earlier gets what there is before it does.
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start = time.Now()
		e := slowly("verify")
		found, err = NewSet([]Member{{Name: "sparse", Searcher: NewSparse(stocked(list("a")), e, e, e, SparseOptions{})}}, SetOptions{}).Search(ctx, "q", 5)
		if err != nil || len(found.Passages) != 1 || time.Since(start) >= 2*time.Second {
			t.Errorf("%+v, %v after %v", found, err, time.Since(start))
		}
	})
}

// TestCauseOfLateness holds that roles are told, as their contexts end, that it is
// the question's time which is up, and that one which is not asked any more is
// given up for the same reason.
func TestCauseOfLateness(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(time.Second)
		var causes []error
		e := slowly("")
		e.VerifyFunc = func(ctx context.Context, _ string, _ []messages.Passage) (bool, error) {
			<-ctx.Done()
			causes = append(causes, context.Cause(ctx))
			return false, nil // and says nothing of it
		}
		e.HypothesiseFunc = func(ctx context.Context, _ string) ([]string, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		note := func(_ context.Context, _ string, err error) { causes = append(causes, err) }
		o := SetOptions{Late: meter.ErrLate, Deadline: func(context.Context) (time.Time, bool) { return at, true }}
		store := stocked(list("a"))
		for _, s := range []Searcher{NewSparse(store, e, e, e, SparseOptions{OnGiveUp: note}), NewIntents(store, e, IntentsOptions{OnGiveUp: note})} {
			at = time.Now().Add(time.Second)
			if _, err := NewSet([]Member{{Name: "m", Searcher: s}}, o).Search(t.Context(), "q", 5); err != nil {
				t.Error(err)
			}
		}
		if len(causes) != 3 {
			t.Fatalf("%v", causes)
		}
		for i, err := range causes {
			if !errors.Is(err, meter.ErrLate) {
				t.Errorf("%d: %v", i, err)
			}
		}
	})
}

// TestRoleIsLate holds that what was found stays when a role says itself that the
// time left is too short for its call.
func TestRoleIsLate(t *testing.T) {
	t.Parallel()
	store := stocked(list("a", "b"))
	wrapped := fmt.Errorf("model: %w", meter.ErrLate)
	var told []error
	note := func(_ context.Context, _ string, err error) { told = append(told, err) }
	verify := &roles.Set{VerifyFunc: func(context.Context, string, []messages.Passage) (bool, error) { return false, wrapped }}
	hypo := &roles.Set{HypothesiseFunc: func(context.Context, string) ([]string, error) { return nil, wrapped }}
	embed := slowly("")
	verify.EmbedFunc = embed.EmbedFunc
	for i, s := range []Searcher{
		NewSparse(store, verify, verify, verify, SparseOptions{OnGiveUp: note}),
		NewDense(store, verify, verify, verify, DenseOptions{OnGiveUp: note}),
		NewIntents(store, hypo, IntentsOptions{OnGiveUp: note}),
	} {
		got, err := s.Search(t.Context(), "q", 5)
		if err != nil || len(got) != 2 || len(told) != i+1 || !errors.Is(told[i], meter.ErrLate) {
			t.Errorf("%T: %v, %v, told %v", s, got, err, told)
		}
	}
}

// TestRolePanics holds that the panic of a role that is asked beside others ends
// the refinement and nothing else.
func TestRolePanics(t *testing.T) {
	t.Parallel()
	e := slowly("")
	e.ExcludeFunc = func(context.Context, string, []string, []messages.Passage) (string, error) { panic("boo") }
	var told forgone
	got, err := NewSparse(stocked(list("a")), e, e, e, SparseOptions{OnGiveUp: told.giveUp}).Search(t.Context(), "red bridge", 5)
	if err != nil || len(got) != 1 || strings.Join(told.all, "|") != "sparse refinement: exclude: panic: boo" {
		t.Errorf("%v, %v, told %q", got, err, told.all)
	}
}
