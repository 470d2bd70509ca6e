package bleve

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/index"
	"hopstream/index/testkit/publictest"
	"hopstream/messages"
)

func find(tb testing.TB, b *Store, q index.Query, k int) []messages.Passage {
	tb.Helper()
	ps, err := b.Find(context.Background(), q, k)
	if err != nil {
		tb.Fatal(err)
	}
	for i, p := range ps {
		if p.Rank != i+1 || !(p.Score > 0) || i > 0 && p.Score > ps[i-1].Score {
			tb.Errorf("result %d of %+v has rank %d, score %v", i+1, q, p.Rank, p.Score)
		}
	}
	return ps
}

func foundIDs(tb testing.TB, b *Store, q index.Query) []string {
	tb.Helper()
	var ids []string
	for _, p := range find(tb, b, q, 10) {
		ids = append(ids, p.ID)
	}
	return ids
}

func same(a, b []messages.Passage) bool {
	return slices.EqualFunc(a, b, func(x, y messages.Passage) bool { return reflect.DeepEqual(x, y) })
}

// plain is a text as a query of its words.
func plain(text string) index.Query { return index.Query{Words: []index.Word{{Text: text}}} }

var bridges = []messages.Document{
	doc("bridge", "Lumen Bridge", "The plans of the Lumen Bridge were drawn by Orla Venn."),
	doc("venn", "Orla Venn", "She was born in Tarn, by the river; Orla Venn is her name."),
	doc("swapped", "Venn, Orla", "Nothing but the name in another order."),
	doc("far", "", "Orla wrote to Mr Venn. The bridge was new."),
	doc("ring", "", "The lord of the rings, and a lord with a ring."),
	doc("twice", "", "Lumen Bridge, Lumen Bridge: a bridge twice named."),
}

func TestFind(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Store) {
		apply(t, b, 1, bridges[:3]...)
		apply(t, b, 2, bridges[3:]...) // a segment of its own
		for name, c := range map[string]struct {
			q    index.Query
			want []string
		}{
			"nothing":                 {index.Query{}, nil},
			"only what is not wanted": {index.Query{Not: []string{"bridge"}}, nil},
			"no such word":            {plain("elephant"), nil},
			"a phrase":                {index.Query{Phrases: []string{"Orla Venn"}}, []string{"venn", "bridge"}},
			"a phrase, in any case":   {index.Query{Phrases: []string{"ORLA venn's"}}, []string{"venn", "bridge"}},
			"the other order":         {index.Query{Phrases: []string{"Venn Orla"}}, []string{"swapped"}},
			"two phrases":             {index.Query{Phrases: []string{"Orla Venn", "lumen bridges"}}, []string{"bridge"}},
			"more often":              {index.Query{Phrases: []string{"Lumen Bridge"}}, []string{"twice", "bridge"}},
			"a gap as in the phrase":  {index.Query{Phrases: []string{"lord of the ring"}}, []string{"ring"}},
			"another gap":             {index.Query{Phrases: []string{"lord ring"}}, nil},
			"a phrase of one word":    {index.Query{Words: []index.Word{{Text: "Orla"}}, Phrases: []string{"Tarn"}}, []string{"venn"}},
			"a phrase of no words":    {index.Query{Words: []index.Word{{Text: "Tarn"}}, Phrases: []string{"of the", "?!", ""}}, []string{"venn"}},
			"a phrase of unknowns":    {index.Query{Words: []index.Word{{Text: "Tarn"}}, Phrases: []string{"Orla Elephant"}}, nil},
			"without a word":          {index.Query{Words: []index.Word{{Text: "Tarn bridge"}}, Not: []string{"Lumen", "elephant", "the"}}, []string{"venn", "far"}},
			"without a phrase":        {index.Query{Words: []index.Word{{Text: "Orla"}}, Not: []string{"Orla Venn"}}, []string{"far", "swapped"}},
			"wanted and not":          {index.Query{Phrases: []string{"Orla Venn"}, Not: []string{"Orla"}}, nil},
			"an optional phrase":      {index.Query{Words: []index.Word{{Text: "Tarn"}, {Text: "Orla Venn", Phrase: true}}}, []string{"venn", "bridge"}},
			"optional, of no words":   {index.Query{Words: []index.Word{{Text: "Tarn"}, {Text: "of the", Phrase: true}}}, []string{"venn"}},
			"boosted":                 {index.Query{Words: []index.Word{{Text: "Tarn"}, {Text: "Lumen", Boost: 9}}}, []string{"twice", "bridge", "venn"}},
			"boosted, the other":      {index.Query{Words: []index.Word{{Text: "Tarn", Boost: 9}, {Text: "Lumen"}}}, []string{"venn", "twice", "bridge"}},
		} {
			if got := foundIDs(t, b, c.q); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
			if got := foundIDs(t, b, c.q); !slices.Equal(got, c.want) {
				t.Errorf("%s, from the cache: %v, want %v", name, got, c.want)
			}
		}
		for word, want := range map[string]int{"Orla": 4, "orla venn": 2, "Venn Orla": 1, "bridge": 3, "elephant": 0, "": 0, "of": 0, "?": 0} {
			if n, err := b.Frequency(t.Context(), word); n != want || err != nil {
				t.Errorf("%d passages hold %q, %v; want %d", n, word, err, want)
			}
		}
		apply(t, b, 3, messages.Document{ID: "bridge", Deleted: true})
		if got := foundIDs(t, b, index.Query{Phrases: []string{"Orla Venn"}}); !slices.Equal(got, []string{"venn"}) {
			t.Errorf("after a removal: %v", got)
		}
	})
}

// TestFindScores holds that a phrase scores as a word that stands where it
// does, and a boosted word so many times as much.
func TestFindScores(t *testing.T) {
	t.Parallel()
	text := func(word string) []messages.Document {
		return []messages.Document{doc("a", "", word+" one two three."), doc("b", "", word+" here, "+word+" there."), doc("c", "", "Nothing much.")}
	}
	one, two := openTest(t, "", Options{}), openTest(t, "", Options{BM25: index.BM25{B: -1}}) // length does not count: a phrase has two words
	three := openTest(t, "", Options{BM25: index.BM25{B: -1}})
	apply(t, one, 1, text("elephant")...)
	apply(t, two, 1, text("elephant")...)
	apply(t, three, 1, text("Orla Venn")...)
	want, got := find(t, two, plain("elephant"), 9), find(t, three, index.Query{Phrases: []string{"Orla Venn"}}, 9)
	for i := range want {
		if got[i].ID != want[i].ID || math.Abs(got[i].Score-want[i].Score) > 1e-12 {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	base := find(t, one, plain("elephant"), 1)[0].Score
	for boost, times := range map[float64]float64{0: 1, 1: 1, 2.5: 2.5, -3: 0.001, 1e9: 1000, math.NaN(): 1, math.Inf(1): 1000} {
		if got := find(t, one, index.Query{Words: []index.Word{{Text: "elephant", Boost: boost}}}, 1)[0].Score; math.Abs(got-base*times) > 1e-9*times {
			t.Errorf("boost %v: %v, want %v times %v", boost, got, times, base)
		}
		if got := find(t, three, index.Query{Words: []index.Word{{Text: "Orla Venn", Boost: boost, Phrase: true}}}, 1)[0].Score; math.Abs(got-want[0].Score*times) > 1e-9*times {
			t.Errorf("a phrase, boost %v: %v, want %v times %v", boost, got, times, want[0].Score)
		}
	}
}

func TestFindRefusals(t *testing.T) {
	t.Parallel()
	b := openTest(t, "", Options{})
	q := index.Query{Words: []index.Word{{Text: "a word"}}, Phrases: []string{"a phrase here"}}
	if ps := find(t, b, q, 5); ps != nil {
		t.Errorf("an empty store holds %v", ps)
	}
	apply(t, b, 1, bridges...)
	for _, k := range []int{0, -1} {
		if ps := find(t, b, q, k); ps != nil {
			t.Errorf("the best %d: %v", k, ps)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Find(ctx, q, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := b.Frequency(ctx, "bridge"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Find(t.Context(), q, 5); !errors.Is(err, index.ErrClosed) {
		t.Error(err)
	}
	if _, err := b.Frequency(t.Context(), "bridge"); !errors.Is(err, index.ErrClosed) {
		t.Error(err)
	}
}

// TestFindConcurrent searches from many sides while passages change.
func TestFindConcurrent(t *testing.T) {
	t.Parallel()
	b := openTest(t, "", Options{})
	apply(t, b, 1, bridges...)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				ps, err := b.Find(context.Background(), index.Query{Words: []index.Word{{Text: "river"}}, Phrases: []string{"Orla Venn"}, Not: []string{"Lumen"}}, 5)
				if err != nil || len(ps) != 1 || ps[0].ID != "venn" {
					t.Errorf("%v, %v", ps, err)
					return
				}
			}
		})
	}
	for i := range 20 {
		apply(t, b, uint64(2+i), doc("other", "", strings.Repeat("more words ", i)))
	}
	wg.Wait()
}

// FuzzFind asks with any texts: nothing may fail, and what is found has what
// must be there and not what must not.
func FuzzFind(f *testing.F) {
	for _, q := range []string{"AC/DC:", "a -", `\`, `+ - ^ "open`, "title:red", "red~2", "*", "(red OR", "\xff", "red\x00stone", "red stone", "東京 都", "\xff\x01red", strings.Repeat("red ", 500)} {
		f.Add(q, q, q, 2.0)
		f.Add("red wall", q, "stone", 0.0)
		f.Add("red wall", "red wall", q, -1.0)
	}
	b := openTest(f, "", Options{})
	apply(f, b, 1, doc("a", "Red", "stone wall"), doc("b", "", "red red wall ~ * AC/DC"), doc("c", "", "東京都 title"), doc("d", "", "open the red wall"))
	f.Fuzz(func(t *testing.T, words, must, not string, boost float64) {
		q := index.Query{Words: []index.Word{{Text: words, Boost: boost}}, Phrases: []string{must}, Not: []string{not}}
		got := find(t, b, q, 10)
		if again := find(t, b, q, 10); !same(got, again) {
			t.Errorf("%v, then %v", got, again)
		}
		holds := foundIDs(t, b, index.Query{Phrases: []string{must}})
		bad := foundIDs(t, b, index.Query{Phrases: []string{not}})
		for _, p := range got {
			if len(b.phrases([]string{must})) > 0 && !slices.Contains(holds, p.ID) || slices.Contains(bad, p.ID) {
				t.Errorf("%s has no %q, or %q", p.ID, must, not)
			}
		}
		if n, err := b.Frequency(context.Background(), must); err != nil || n != len(holds) {
			t.Errorf("%d passages, %v; found %v", n, err, holds)
		}
	})
}

// BenchmarkFind asks for a phrase and words; the phrases of a question are
// asked again as it is refined.
func BenchmarkFind(b *testing.B) {
	docs, questions := publictest.Documents(b, "musique"), publictest.Questions(b, "musique")
	store := openTest(b, "", Options{})
	applyAll(b, store, docs)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q := index.Query{Words: []index.Word{{Text: questions[i%len(questions)].Text}}, Phrases: []string{"United States"}, Not: []string{"Canada"}}
		if _, err := store.Find(context.Background(), q, 10); err != nil {
			b.Fatal(err)
		}
	}
}
