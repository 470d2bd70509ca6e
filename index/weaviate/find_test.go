package weaviate

import (
	"reflect"
	"testing"

	"hopstream/index"
	"hopstream/messages"
)

// TestParts holds how a structured query becomes searches by words.
func TestParts(t *testing.T) {
	t.Parallel()
	words := func(w ...index.Word) index.Query { return index.Query{Words: w} }
	for name, c := range map[string]struct {
		q    index.Query
		want []search
		not  [][]string
	}{
		"nothing":          {index.Query{}, nil, nil},
		"no words":         {words(index.Word{Text: "?!"}, index.Word{Text: " "}, index.Word{Text: "of the", Phrase: true}), nil, nil},
		"words":            {words(index.Word{Text: "red stone"}, index.Word{Text: "wall"}), []search{{"red stone wall", 1, nil, false}}, nil},
		"counts more":      {words(index.Word{Text: "red"}, index.Word{Text: "wall", Boost: 2}), []search{{"red wall wall", 1, nil, false}}, nil},
		"counts less":      {words(index.Word{Text: "red"}, index.Word{Text: "wall", Boost: 0.5}), []search{{"red red wall", 0.5, nil, false}}, nil},
		"phrases":          {index.Query{Words: []index.Word{{Text: "Orla \x00Venn", Phrase: true, Boost: 3}}, Phrases: []string{"the wall", "of"}}, []search{{"Orla  Venn", 3, []string{"orla", "venn"}, false}, {"the wall", 1, []string{"the", "wall"}, true}}, nil},
		"what must not be": {index.Query{Words: []index.Word{{Text: "red"}}, Not: []string{"AC/DC", "the", ""}}, []search{{"red", 1, nil, false}}, [][]string{{"ac", "dc"}}},
	} {
		f := (&Store{}).parts(c.q)
		if !reflect.DeepEqual(f.searches, c.want) || !reflect.DeepEqual(f.not, c.not) {
			t.Errorf("%s: %+v without %q, want %+v without %q", name, f.searches, f.not, c.want, c.not)
		}
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	p := messages.Passage{Title: "Red Wall", Text: "An old-stone bridge, AC/DC."}
	p.Heading = "Part › One"
	for text, want := range map[string]bool{
		"red wall": true, "WALL": true, "wall red": false, "one": true, "old stone bridge": true, "stone, bridge": true,
		"old bridge": false, "wall an": false, "ac dc": true, "sto": false,
	} {
		if got := holds(&p, tokens(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
