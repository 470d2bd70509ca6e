package messages_test

import (
	"bytes"
	"reflect"
	"testing"

	"hopstream/messages"
)

// withEvidence returns messages that show the words an answer rests on.
func withEvidence() []messages.Message {
	place := messages.Place{Heading: "Plays › Faust", Lines: messages.Lines{{0, 41}, {2, 45}}, Pages: messages.Pages{{0, 3}}}
	quote := []messages.Evidence{{ID: "doc 1#2", Title: "Faust", Heading: "Plays › Faust", Lines: [2]int{41, 42}, Page: 3, Quote: "Goethe\nwrote it.", Start: 0, End: 16}}
	passages := []messages.Passage{{ID: "doc 1#2", Title: "Faust", Text: "Goethe\nwrote it.", Place: place}}
	h := head(2, 1, 2)
	h.Pairs[0].Evidence = quote
	whole := h
	whole.Branch, whole.Branches, whole.Base = 0, 0, messages.Usage{}
	claims := []messages.Claim{{Text: "Goethe", Evidence: quote}, {Text: "1808"}}
	return []messages.Message{
		&messages.Align{Head: h, Query: "one?", Passages: passages},
		&messages.Generate{Head: h, Query: "one?", Passages: passages, Spans: []messages.Span{{Passage: 0, From: 0, To: 6, Scale: 150, Score: 0.5}}},
		&messages.Subanswer{Head: h, Pair: h.Pairs[0]},
		messages.NewAnswer(&whole, messages.Unanswered, messages.Finding{Claims: claims, Evidence: quote, Confidence: 0.25}, "no answer found in the documents", asked),
		&messages.Document{ID: "plays/faust.md#0+12", Title: "Faust", Text: "# Faust\n\nGoethe wrote it.", Date: "1808-04-01", Root: "/srv/plays", Place: place},
	}
}

func TestEvidenceIsAlwaysThere(t *testing.T) {
	t.Parallel()
	h := head(2, 0, 0)
	data, err := messages.Encode(messages.NewAnswer(&h, messages.Unanswered, messages.Finding{}, "", asked))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte(`"evidence":[]`)); n != 1+len(h.Pairs) {
		t.Errorf("%s", data)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	l := messages.Lines{{0, 10}, {3, 20}, {5, 7}}
	for n, want := range []int{10, 11, 12, 20, 21, 7, 8} {
		if got := l.At(n); got != want {
			t.Errorf("line %d is %d, want %d", n, got, want)
		}
		if s := l.Slice(n, 7); s.At(0) != want || s.At(6-n) != 8 {
			t.Errorf("from %d: %v", n, s)
		}
	}
	if s := l.Slice(1, 3); len(s) != 1 || s[0] != [2]int{0, 11} {
		t.Error(s)
	}
	p := messages.Pages{{0, 1}, {4, 2}}
	if p.At(3) != 1 || p.At(9) != 2 || p.Slice(2, 9).At(1) != 1 || p.Slice(2, 9).At(2) != 2 || len(p.Slice(5, 6)) != 1 {
		t.Error(p.Slice(2, 9))
	}
	var none messages.Lines
	if none.At(3) != 0 || none.Slice(1, 2) != nil || messages.Pages(nil).At(1) != 0 || messages.Pages(nil).Slice(1, 2) != nil {
		t.Error("nothing known is something")
	}
}

func TestSpansLieInPassages(t *testing.T) {
	t.Parallel()
	for _, s := range []messages.Span{{Passage: 1, To: 1}, {Passage: -1, To: 1}, {From: -1, To: 1}, {From: 1, To: 1}, {From: 2, To: 1}, {To: 5}} {
		m := &messages.Generate{Head: head(1, 1, 1), Query: "q", Passages: []messages.Passage{{ID: "a", Text: "text"}}, Spans: []messages.Span{{To: 4}, s}}
		if err := m.Validate(); err == nil {
			t.Errorf("%+v is no span of 4 bytes", s)
		}
	}
}

// TestQuotesOfOnePlace holds that of quotes within each other the longer is kept.
func TestQuotesOfOnePlace(t *testing.T) {
	t.Parallel()
	quote := func(id string, start, end int) messages.Evidence {
		return messages.Evidence{ID: id, Start: start, End: end}
	}
	got := messages.AddEvidence(nil, quote("a", 5, 9), quote("a", 5, 9), quote("a", 6, 8), quote("b", 6, 8), quote("a", 2, 9), quote("a", 8, 12))
	want := []messages.Evidence{quote("a", 2, 9), quote("b", 6, 8), quote("a", 8, 12)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
