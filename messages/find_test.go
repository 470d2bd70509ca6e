package messages_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hopstream/messages"
)

func TestFinds(t *testing.T) {
	t.Parallel()
	if got := messages.Finds([]messages.Passage{{ID: "a", Title: "A", Text: "x", Rank: 1}, {ID: "b"}}); got != nil {
		t.Errorf("%+v is found by nobody, nowhere", got)
	}
	got := messages.Finds([]messages.Passage{{ID: "a"}, {ID: "b", Title: "B", By: []string{"bm25"}}, {ID: "c", URL: "https://c"}})
	want := []messages.Find{
		{Source: messages.Source{ID: "b", Title: "B"}, By: []string{"bm25"}},
		{Source: messages.Source{ID: "c", URL: "https://c"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAddSources(t *testing.T) {
	t.Parallel()
	a, b, c := messages.Source{ID: "a", Title: "A"}, messages.Source{ID: "b"}, messages.Source{ID: "c"}
	got := messages.AddSources([]messages.Source{a, b}, messages.Source{ID: "a", Title: "another"}, c, c)
	if want := []messages.Source{a, b, c}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := messages.AddSources(nil); got != nil {
		t.Errorf("%+v of nothing", got)
	}
}

func TestBoundDegraded(t *testing.T) {
	t.Parallel()
	if got := messages.BoundDegraded([]string{}); got != nil {
		t.Errorf("%q of nothing", got)
	}
	many := slices.Repeat([]string{"web: " + strings.Repeat("äöü ", 1<<18)}, 100)
	got := messages.BoundDegraded(many)
	if len(got) != messages.MaxDegraded {
		t.Errorf("%d of them", len(got))
	}
	for _, s := range got {
		if len(s) > 160 || !strings.HasSuffix(s, "…") || !utf8.ValidString(s) {
			t.Errorf("%d bytes: %q", len(s), s)
		}
	}
	for in, want := range map[string]string{
		"timeout":             "web: timeout",
		"two\nlines\x1b[31m ": "web: two lines [31m",
		"bad \xff byte":       "web: bad ? byte",
		"":                    "web:",
	} {
		if got := messages.Degradation("web", in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestAnswerTellsTheSearch holds that a hop tells who found its passages and
// who did not help, and that a citation keeps its address.
func TestAnswerTellsTheSearch(t *testing.T) {
	t.Parallel()
	h := head(1, 0, 0)
	p := pair(1, 1)
	for range 30 {
		p.Found = append(p.Found, messages.Find{Source: messages.Source{ID: "a"}, By: []string{"bm25"}})
	}
	p.Sources = []messages.Source{{ID: "https://a", URL: "https://a?b"}}
	p.Degraded = []string{"web: timeout"}
	h.Pairs = []messages.Pair{p, pair(1, 2)}
	a := messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: "x"}, "", asked.Add(time.Second))
	if n := len(a.Hops[0].Found); n != messages.MaxFinds {
		t.Errorf("%d finds of a hop", n)
	}
	if !slices.Equal(a.Hops[0].Degraded, p.Degraded) || a.Citations[0].URL != "https://a?b" {
		t.Errorf("%+v", a)
	}
	if a.Hops[1].Found != nil || a.Hops[1].Degraded != nil {
		t.Errorf("%+v tells of a search nobody watched", a.Hops[1])
	}
}

// TestAnswerTellsWhoseWorkAHopIs holds that a hop names the question that found
// its answer, and that only a sub-query is answered by another question.
func TestAnswerTellsWhoseWorkAHopIs(t *testing.T) {
	t.Parallel()
	h := head(1, 0, 0)
	p := pair(1, 1)
	p.Shared = "other.2.1"
	h.Pairs = []messages.Pair{p, pair(1, 2)}
	if a := messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: "x"}, "", asked); a.Hops[0].Shared != "other.2.1" || a.Hops[1].Shared != "" {
		t.Errorf("%+v", a.Hops)
	}
	if err := (&messages.Generate{Head: head(1, 1, 1), Query: "one?", Answered: &p}).Validate(); err != nil {
		t.Error(err)
	}
	if err := (&messages.Generate{Head: h, Answered: &p}).Validate(); err == nil {
		t.Error("a sub-query's answer is that of a whole question")
	}
}

// TestNamesAreReadApart holds that lists of names that are or begin alike are
// read as they are, and that what is appended to one is not seen in another.
func TestNamesAreReadApart(t *testing.T) {
	t.Parallel()
	m := &messages.Filter{Head: head(1, 1, 1), Query: "x"}
	lists := [][]string{{"a"}, {"a"}, {"a", "b"}, {"a"}, nil, {"a]"}, {"a"}, {""}, {"ab"}}
	for _, by := range lists {
		m.Passages = append(m.Passages, messages.Passage{ID: "p", By: by})
	}
	data, err := messages.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	back, err := messages.Decode(messages.KindFilter, data)
	if err != nil {
		t.Fatal(err)
	}
	got := back.(*messages.Filter).Passages
	for i := range got {
		_ = append(got[i].By, "other")
	}
	for i, by := range lists {
		if !slices.Equal(got[i].By, by) {
			t.Errorf("passage %d is by %q, want %q", i, got[i].By, by)
		}
	}
}
