package storetest

import (
	"context"
	"math"
	"slices"

	"hopstream/index"
	"hopstream/messages"
)

// Finder is a store that takes structured queries.
type Finder interface {
	Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error)
}

// structured: what each part of a structured query does, in stores that take
// them: words that count, and count more, phrases that count where they stand,
// phrases that must stand, and what must not.
func structured(f *fixture) {
	store, ok := f.store.(Finder)
	if !ok {
		f.t.Skip("takes no structured queries")
	}
	find := func(q index.Query, k int) []messages.Passage {
		ps, err := store.Find(f.t.Context(), q, k)
		if err != nil {
			f.t.Errorf("%+v: %v", q, err)
		}
		check(f.t, "a structured query", k, ps)
		return ps
	}
	words := func(texts ...string) (out []index.Word) {
		for _, t := range texts {
			out = append(out, index.Word{Text: t})
		}
		return out
	}
	quoted := func(texts ...string) (out []index.Word) {
		for _, t := range texts {
			out = append(out, index.Word{Text: t, Phrase: true})
		}
		return out
	}
	boosted := func(text string, boost float64) index.Word { return index.Word{Text: text, Boost: boost} }
	if ps := find(index.Query{Words: words("basalt"), Not: []string{"x"}}, 5); ps != nil {
		f.t.Errorf("an empty store holds %v", ids(ps))
	}
	f.apply(1,
		Doc("bridge", "", "Orla Venn drew plans of a basalt bridge."),
		Doc("swapped", "", "Venn, Orla: a basalt name."),
		Doc("apart", "", "Orla wrote Mister Venn about basalt."),
		Doc("granite", "", "Only granite lies here, no other stone."),
		Doc("title", "Orla Venn", "A portrait."))
	for _, c := range []struct {
		what string
		q    index.Query
		want []string // in any order, unless first is told
		// first comes before all others.
		first string
	}{
		{"nothing", index.Query{}, nil, ""},
		{"no words", index.Query{Words: words("", "?!")}, nil, ""},
		{"only what is not wanted", index.Query{Not: []string{"granite"}}, nil, ""},
		{"any of the words", index.Query{Words: words("granite", "basalt zebra")}, []string{"apart", "bridge", "granite", "swapped"}, "granite"},
		{"a word that counts more", index.Query{Words: []index.Word{boosted("granite", 1), boosted("portrait", 4)}}, []string{"granite", "title"}, "title"},
		{"the other counts more", index.Query{Words: []index.Word{boosted("granite", 4), boosted("portrait", 1)}}, []string{"granite", "title"}, "granite"},
		{"a phrase broadens", index.Query{Words: append(words("granite"), quoted("orla VENN")...)}, []string{"bridge", "granite", "title"}, ""},
		{"a phrase is no word of its words", index.Query{Words: quoted("Venn Orla")}, []string{"swapped"}, ""},
		{"a phrase raises who holds it", index.Query{Words: append(words("basalt plans"), quoted("Orla Venn")...)}, []string{"apart", "bridge", "swapped", "title"}, "bridge"},
		{"a phrase that nothing holds", index.Query{Words: append(words("basalt"), quoted("Orla Zebra")...)}, []string{"apart", "bridge", "swapped"}, ""},
		{"a phrase of one word", index.Query{Words: quoted("granite")}, []string{"granite"}, ""},
		{"a phrase that counts more", index.Query{Words: append(words("granite stone"), index.Word{Text: "Orla Venn", Phrase: true, Boost: 9})}, []string{"bridge", "granite", "title"}, "title"},
		{"what must stand", index.Query{Words: words("basalt plans"), Phrases: []string{"Orla Venn"}}, []string{"bridge", "title"}, "bridge"},
		{"two that must stand", index.Query{Phrases: []string{"Orla Venn", "basalt bridge"}}, []string{"bridge"}, ""},
		{"must stand, and does not", index.Query{Words: words("basalt"), Phrases: []string{"Orla Zebra"}}, nil, ""},
		{"without a word", index.Query{Words: words("Orla basalt"), Not: []string{"PORTRAIT", "bridge"}}, []string{"apart", "swapped"}, ""},
		{"without a phrase", index.Query{Words: words("Orla"), Not: []string{"Orla Venn"}}, []string{"apart", "swapped"}, ""},
		{"wanted and not wanted", index.Query{Phrases: []string{"Orla Venn"}, Not: []string{"Orla"}}, nil, ""},
	} {
		got := ids(find(c.q, 10))
		if c.first != "" && (len(got) == 0 || got[0] != c.first) {
			f.t.Errorf("%s: %v, and %s is to be the first", c.what, got, c.first)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			f.t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	all := index.Query{Words: append(words("basalt"), quoted("Orla Venn")...), Not: []string{"granite"}}
	for _, k := range []int{0, -1, math.MinInt} {
		if ps := find(all, k); len(ps) != 0 {
			f.t.Errorf("the best %d are %v", k, ids(ps))
		}
	}
	want := ids(find(all, math.MaxInt))
	if got := ids(find(all, 2)); !slices.Equal(got, want[:min(2, len(want))]) {
		f.t.Errorf("the best 2 are %v, of %v", got, want)
	}
	for _, q := range nasty {
		find(index.Query{Words: append(words(q), quoted(q)...), Not: []string{q}}, 5)
		find(index.Query{Words: words("basalt"), Phrases: []string{q}}, 5)
	}
	f.excludesMany(find)
}

// excludesMany: passages that are not wanted do not take the place of those
// that are, however many they are and however well they fit.
func (f *fixture) excludesMany(find func(index.Query, int) []messages.Passage) {
	var docs []messages.Document
	for i := range 150 {
		docs = append(docs, Doc("unwanted"+string(rune('a'+i%26))+string(rune('a'+i/26)), "", "feldspar feldspar mica"))
	}
	docs = append(docs, Doc("wanted", "", "a feldspar among very many other stones"))
	f.apply(2, docs...)
	if got := ids(find(index.Query{Words: []index.Word{{Text: "feldspar"}}, Not: []string{"mica"}}, 3)); !slices.Equal(got, []string{"wanted"}) {
		f.t.Errorf("without those that are not wanted: %v", got)
	}
}
