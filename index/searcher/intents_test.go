package searcher

import (
	"context"
	"errors"
	"fmt"
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
	in := NewIntents(s, stating("Orla did.", "In 1931.", "orla did", ""), IntentsOptions{})
	got, queries, err := in.SearchTold(t.Context(), "Who and when?", 3)
	slices.Sort(asked)
	if err != nil || !slices.Equal(ids(got), []string{"a", "c", "b"}) || !slices.Equal(asked, []string{"In 1931.", "Orla did."}) {
		t.Errorf("%v, %v of %q", ids(got), err, asked)
	}
	if !slices.Equal(queries, []string{"Orla did.", "In 1931."}) {
		t.Errorf("told %q", queries)
	}
	if want := 1.0 / 61; math.Abs(got[0].Score-want) > 1e-12 || got[2].Rank != 3 {
		t.Errorf("%+v", got)
	}
	asked = nil
	if _, err := NewIntents(s, stating("a", "b", "c"), IntentsOptions{MaxStatements: 2}).Search(t.Context(), "q", 3); err != nil || len(asked) != 2 {
		t.Errorf("%q, %v", asked, err)
	}
	asked = nil
	many := make([]string, messages.MaxQueries+9)
	for i := range many {
		many[i] = fmt.Sprint("fact ", i)
	}
	if _, queries, err := NewIntents(s, stating(many...), IntentsOptions{}).SearchTold(t.Context(), "q", 3); err != nil || len(asked) != messages.MaxQueries || !slices.Equal(queries, many[:messages.MaxQueries]) {
		t.Errorf("%d searches, told %q, %v", len(asked), queries, err)
	}
	for name, h := range map[string]Hypothesiser{"nobody hypothesises": nil, "no answers": stating(), "no statements": stating("?")} {
		asked = nil
		got, queries, err := NewIntents(s, h, IntentsOptions{}).SearchTold(t.Context(), "Who and when?", 1)
		if err != nil || !slices.Equal(ids(got), []string{"q"}) || len(asked) != 1 || queries != nil {
			t.Errorf("%s: %v, %v of %q, told %q", name, got, err, asked, queries)
		}
	}
	asked = asked[:1]
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
	o := IntentsOptions{OnGiveUp: func(_ context.Context, what string, err error) { told = append(told, what+": "+err.Error()) }}
	got, err := NewIntents(failing(map[string]error{"c": away, "b": broken}), stating("a", "b", "panics", "c"), o).Search(t.Context(), "q", 3)
	if want := "intents queries: 2 of 4: broken; 3 of 4: panic: oh; 4 of 4: away"; err != nil || !slices.Equal(ids(got), []string{"a"}) || strings.Join(told, "|") != want {
		t.Errorf("%v, %v, told %q", ids(got), err, told)
	}
	for want, bad := range map[fault.Class]map[string]error{
		fault.Unavailable: {"b": broken, "a": away},
		fault.Permanent:   {"b": broken, "a": broken},
		fault.Transient:   {"b": broken, "a": errors.New("odd")},
	} {
		told = nil
		_, err := NewIntents(failing(bad), stating("a", "b"), o).Search(t.Context(), "q", 3)
		if class, _ := fault.Of(err); class != want || !errors.Is(err, bad["a"]) || told != nil {
			t.Errorf("%v, told %q; want %v", err, told, want)
		}
	}
	for _, cause := range []error{broken, away, errors.New("odd")} {
		for _, e := range []*roles.Set{
			{HypothesiseFunc: func(context.Context, string) ([]string, error) { return nil, cause }},
			{StatementsFunc: func(context.Context, string, []string) ([]string, error) { return nil, cause }},
		} {
			told = nil
			got, err := NewIntents(failing(nil), e, o).Search(t.Context(), "q", 3)
			if err != nil || len(got) != 1 || len(told) != 1 || !strings.HasPrefix(told[0], "intents statements: ") {
				t.Errorf("%v: %v, %v, told %q", cause, got, err, told)
			}
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
		if _, err := NewIntents(s, stating("a", "b", "c", "d", "e", "f"), IntentsOptions{Parallel: 3}).Search(t.Context(), "q", 3); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 2*time.Second || most.Load() != 3 {
			t.Errorf("%v, %d at once", took, most.Load())
		}
	})
}
