//go:build real

package weaviate

import (
	"context"
	"errors"
	"math"
	"testing"

	"hopstream/index"
	"hopstream/index/testkit/storetest"
	"hopstream/index/weaviate/weaviatetest"
	"hopstream/messages/fault"
)

// TestRealFindScores holds that the server counts a word as often as it stands in
// a query, which is how words count more here, and that a phrase scores where it
// stands what its words do.
func TestRealFindScores(t *testing.T) {
	s := open(t, Options{URL: weaviatetest.Start(t)})
	apply(t, s, 1, doc("a", "", "elephant one two three"), doc("b", "", "Orla Venn"), doc("c", "", "Venn saw Orla"), doc("d", "", "nothing much"))
	score := func(q index.Query) float64 {
		ps, err := s.Find(t.Context(), q, 5)
		if err != nil || len(ps) == 0 {
			t.Fatalf("%+v: %v, %v", q, ps, err)
		}
		return ps[0].Score
	}
	word := func(boost float64) index.Query {
		return index.Query{Words: []index.Word{{Text: "elephant", Boost: boost}}}
	}
	base := score(word(0))
	if plain, err := s.Search(t.Context(), "elephant", 1); err != nil || math.Abs(plain[0].Score-base) > 1e-6 {
		t.Errorf("%v, %v; a word scores %v", plain, err, base)
	}
	for boost, times := range map[float64]float64{1: 1, 2: 2, 7: 7, 0.5: 0.5, 0.25: 0.25, 1e9: maxRepeats, math.NaN(): 1} {
		if got := score(word(boost)); math.Abs(got-times*base) > 1e-5*times {
			t.Errorf("boost %v: %v, want %v times %v", boost, got, times, base)
		}
	}
	both := score(index.Query{Words: []index.Word{{Text: "orla venn"}}})
	for boost, times := range map[float64]float64{0: 1, 2.5: 2.5} {
		if got := score(index.Query{Words: []index.Word{{Text: "Orla Venn", Phrase: true, Boost: boost}}}); math.Abs(got-times*both) > 1e-5*times {
			t.Errorf("a phrase that counts %v: %v, want %v times %v", boost, got, times, both)
		}
	}
}

// TestRealFindRefusals holds what a search says that cannot be made.
func TestRealFindRefusals(t *testing.T) {
	server := weaviatetest.New(t)
	s := open(t, Options{URL: server.URL})
	apply(t, s, 1, doc("a", "", "amber"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := index.Query{Words: []index.Word{{Text: "amber"}, {Text: "amber stone", Phrase: true}}, Not: []string{"coal"}}
	if _, err := s.Find(ctx, q, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	server.Stop()
	_, err := s.Find(t.Context(), q, 5)
	wantClass(t, "find", err, fault.Unavailable, "")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), q, 5); !errors.Is(err, index.ErrClosed) {
		t.Error(err)
	}
}

var _ storetest.Finder = (*Store)(nil)
