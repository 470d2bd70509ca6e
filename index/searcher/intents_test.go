package searcher

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/roles"
)

func stating(statements ...string) *roles.Set {
	return &roles.Set{HypothesiseFunc: func(context.Context, string) ([]string, error) { return statements, nil }}
}

func TestIntents(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	s := Func(func(_ context.Context, query string, k int) ([]messages.Passage, error) {
		mu.Lock()
		asked = append(asked, query)
		mu.Unlock()
		if k != 10 {
			t.Errorf("%d passages are asked for", k)
		}
		return map[string][]messages.Passage{"Who and when?": list("q", "a"), "Orla did.": list("a", "b"), "In 1931.": list("c")}[query], nil
	})
	got, err := NewIntents(s, stating("Orla did.", "In 1931.", "orla did", "", "who AND when"), IntentsOptions{}).Search(t.Context(), "Who and when?", 3)
	slices.Sort(asked)
	if err != nil || !slices.Equal(ids(got), []string{"a", "c", "q"}) || !slices.Equal(asked, []string{"In 1931.", "Orla did.", "Who and when?"}) {
		t.Errorf("%v, %v of %q", ids(got), err, asked)
	}
	if want := 1.0/61 + 1.0/62; math.Abs(got[0].Score-want) > 1e-12 || got[2].Rank != 3 {
		t.Errorf("%+v", got)
	}
	asked = nil
	if _, err := NewIntents(s, stating("a", "b", "c"), IntentsOptions{MaxStatements: 2}).Search(t.Context(), "q", 3); err != nil || len(asked) != 3 {
		t.Errorf("%q, %v", asked, err)
	}
	asked = nil
	if got, err := NewIntents(s, nil, IntentsOptions{}).Search(t.Context(), "Who and when?", 1); err != nil || !slices.Equal(ids(got), []string{"q"}) || len(asked) != 1 {
		t.Errorf("%v, %v of %q", got, err, asked)
	}
	if got, err := NewIntents(s, stating("x"), IntentsOptions{}).Search(t.Context(), " ", 3); got != nil || err != nil || len(asked) != 1 {
		t.Errorf("%v, %v of %q", got, err, asked)
	}
}

func TestIntentsErrors(t *testing.T) {
	t.Parallel()
	away := fault.AsUnavailable(errors.New("away"), time.Second)
	broken := fault.Permanentf("broken")
	failing := func(bad map[string]error) Func {
		return func(_ context.Context, query string, _ int) ([]messages.Passage, error) {
			if query == "panics" {
				panic("oh")
			}
			return list(query), bad[query]
		}
	}
	var told []string
	o := IntentsOptions{OnGiveUp: func(err error) { told = append(told, err.Error()) }}
	got, err := NewIntents(failing(map[string]error{"q": away, "b": broken}), stating("a", "b", "panics"), o).Search(t.Context(), "q", 3)
	if err != nil || !slices.Equal(ids(got), []string{"a"}) || strings.Join(told, "|") != "query 1 of 4: away|query 3 of 4: broken|query 4 of 4: panic: oh" {
		t.Errorf("%v, %v, told %q", ids(got), err, told)
	}
	for want, bad := range map[fault.Class]map[string]error{
		fault.Unavailable: {"q": broken, "a": away},
		fault.Permanent:   {"q": broken, "a": broken},
		fault.Transient:   {"q": broken, "a": errors.New("odd")},
	} {
		told = nil
		_, err := NewIntents(failing(bad), stating("a"), o).Search(t.Context(), "q", 3)
		if class, _ := fault.Of(err); class != want || !errors.Is(err, bad["a"]) || told != nil {
			t.Errorf("%v, told %q; want %v", err, told, want)
		}
	}
	for _, cause := range []error{broken, away, errors.New("odd")} {
		told = nil
		e := &roles.Set{HypothesiseFunc: func(context.Context, string) ([]string, error) { return nil, cause }}
		got, err := NewIntents(failing(nil), e, o).Search(t.Context(), "q", 3)
		if err != nil || len(got) != 1 || len(told) != 1 {
			t.Errorf("%v: %v, %v, told %q", cause, got, err, told)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	leaving := Func(func(context.Context, string, int) ([]messages.Passage, error) { cancel(); return list("a"), nil })
	for range 2 {
		if got, err := NewIntents(leaving, stating("a"), o).Search(ctx, "q", 3); got != nil || !errors.Is(err, context.Canceled) {
			t.Error(got, err)
		}
	}
}

// TestIntentsSideBySide holds that queries run at once, and no more of them
// than allowed.
func TestIntentsSideBySide(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		s := Func(func(context.Context, string, int) ([]messages.Passage, error) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Second)
			now.Add(-1)
			return nil, nil
		})
		began := time.Now()
		if _, err := NewIntents(s, stating("a", "b", "c", "d", "e"), IntentsOptions{Parallel: 3}).Search(t.Context(), "q", 3); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 2*time.Second || most.Load() != 3 {
			t.Errorf("%v, %d at once", took, most.Load())
		}
	})
}
