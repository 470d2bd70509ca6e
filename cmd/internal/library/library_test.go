package library

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	const text = "Żółw: the approvals\nwere approved, in Łódź."
	var got []string
	for _, m := range characters(text, marks("Who approved Łódź?", text)) {
		got = append(got, string([]rune(text)[m[0]:m[1]]))
	}
	if !slices.Contains(got, "approved") || !slices.Contains(got, "Łódź") || slices.Contains(got, "the") {
		t.Errorf("marked %q", got)
	}
	if got := marks("the", "the one"); !reflect.DeepEqual(got, [][2]int{{0, 3}}) {
		t.Errorf("a query of stop words marks %v", got)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("nothing to see here, ü. ", 40)
	for _, c := range []struct{ text, query, want string }{
		{"a\nheron  flies", "heron", "a <heron> flies"},
		{"heron", "heron", "<heron>"},
		{"", "heron", ""},
		{"no\x1b[1m word", "heron", "no�[1m word"},
	} {
		if got := excerpt(c.text, marks(c.query, c.text), 80, "<", ">"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	for _, text := range []string{long + "a heron flies. " + long, "heron. " + long, long + "heron"} {
		got := excerpt(text, marks("heron", text), 80, "<", ">")
		if !strings.Contains(got, "<heron>") || len(got) > 160 || strings.ContainsRune(got, '�') {
			t.Errorf("%q", got)
		}
	}
	if got := excerpt(strings.Repeat("ü", 500), nil, 81, "", ""); strings.ContainsRune(got, '�') {
		t.Errorf("torn: %q", got)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	ids := []string{"handbook/safety.md", "handbook/machines.md", "novel.txt#0+2", "novel.txt#2+2", "x"}
	for id, want := range map[string][]string{
		"safety.md": {"handbook/safety.md"}, "handbook/safty.md": {"handbook/safety.md"}, "NOVEL": {"novel.txt"}, "zzz": {},
	} {
		if got := nearest(id, ids); !slices.Equal(got, want) {
			t.Errorf("%q is near %q, want %q", id, got, want)
		}
	}
}
