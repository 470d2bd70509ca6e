package document

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hopstream/messages"
)

func TestChunkWhole(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"short", strings.Repeat("é", DefaultSize), "two\n\nparagraphs"} {
		ps := Chunk(doc("id", " T ", " "+text+"\n"), ChunkOptions{})
		if len(ps) != 1 || ps[0].ID != "id" || ps[0].Text != text || ps[0].Title != "T" {
			t.Errorf("%.20q: %+v", text, ps)
		}
	}
	if ps := Chunk(doc("id", "", " \n"), ChunkOptions{}); ps != nil {
		t.Errorf("blank: %v", ps)
	}
	if ps := Chunk(messages.Document{ID: "id", Text: "x", Deleted: true}, ChunkOptions{}); ps != nil {
		t.Errorf("deleted: %v", ps)
	}
	if ps := Chunk(doc("id", "only a title", ""), ChunkOptions{}); len(ps) != 1 || ps[0].Title != "only a title" {
		t.Errorf("title: %v", ps)
	}
}

func TestChunkBoundaries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text    string
		size, overlap int
		want          []string
	}{
		{"paragraph", "One two three.\n\nFour five. Six seven.", 25, -1, []string{"One two three.", "Four five. Six seven."}},
		{"sentence", "One two three. Four five six seven eight.", 24, -1, []string{"One two three.", "Four five six seven", "eight."}},
		{"quoted sentence", `He said "no." Then he went away.`, 18, -1, []string{`He said "no."`, "Then he went away."}},
		{"word", "alpha beta gamma delta", 12, -1, []string{"alpha beta", "gamma delta"}},
		{"nothing", "abcdefghij", 4, -1, []string{"abcd", "efgh", "ij"}},
		{"wide", "今日は晴れ。明日は雨です。", 8, -1, []string{"今日は晴れ。", "明日は雨です。"}},
		{"overlap", "One two. Three four. Five six.", 20, 9, []string{"One two. Three four.", "four. Five six."}},
	} {
		var got []string
		for _, p := range Chunk(doc("d", "", test.text), ChunkOptions{Size: test.size, Overlap: test.overlap}) {
			got = append(got, p.Text)
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDocID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a", "a#", "#1", "a#b", "a#1", "a#1#2", "1", "ä#7", "a#-1"} {
		for _, n := range []int{1, 2, 12} {
			for i := range n {
				if p := PassageID(id, i, n); DocID(p) != id {
					t.Errorf("passage %d of %d of %q is %q, of document %q", i, n, id, p, DocID(p))
				}
			}
		}
	}
	if p := PassageID("a", 0, 1); p != "a" {
		t.Errorf("the only passage of a is %q", p)
	}
}

func FuzzChunk(f *testing.F) {
	f.Add("title", "One two three. Four five.\n\nSix!", 10, 3)
	f.Add("", "\xff\xfe", 1, 0)
	f.Add("t", "今日は晴れ。明日は雨です。", 5, 2)
	f.Add("t", strings.Repeat("a ", 50), 7, 100)
	f.Add(strings.Repeat("long title ", 40), "text", 50, -1)
	f.Fuzz(func(t *testing.T, title, text string, size, overlap int) {
		opts := ChunkOptions{Size: size, Overlap: overlap}
		ps := Chunk(doc("id", title, text), opts)
		most, overlap := opts.Sizes()
		whole := nonSpace(text)
		if utf8.RuneCountInString(clean(title)) > maxTitle {
			whole = nonSpace(title) + whole
		}
		// All of whole before here is covered, as far as can be told: in
		// repetitive text a piece may stand in several places.
		covered := map[int]bool{0: true}
		for i, p := range ps {
			if p.ID != PassageID("id", i, len(ps)) {
				t.Errorf("passage %d of %d is called %q", i, len(ps), p.ID)
			}
			if !utf8.ValidString(p.Text) || !utf8.ValidString(p.Title) {
				t.Error("not valid UTF-8")
			}
			if n := utf8.RuneCountInString(p.Text); n > 2*most {
				t.Errorf("%d characters of at most %d", n, most)
			}
			if p.Text != strings.TrimSpace(p.Text) || p.Text == "" && (len(ps) > 1 || p.Title == "") {
				t.Errorf("passage %d is %q", i, p.Text)
			}
			// The piece goes on where the last one ended, or overlaps it.
			piece := nonSpace(p.Text)
			next := map[int]bool{}
			for at := range covered {
				for n := max(0, at-4*overlap); n <= at; n++ {
					if strings.HasPrefix(whole[n:], piece) && n+len(piece) >= at {
						next[n+len(piece)] = true
					}
				}
			}
			if covered = next; len(covered) == 0 {
				t.Fatalf("passage %d does not go on where the last one ended", i)
			}
		}
		if !covered[len(whole)] {
			t.Errorf("not all of %d bytes are covered", len(whole))
		}
	})
}

func nonSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, clean(s))
}

func TestChunkOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    ChunkOptions
		want string
	}{
		{ChunkOptions{}, "1600/200 by blocks"},
		{ChunkOptions{Size: -1}, "1600/200 by blocks"},
		{ChunkOptions{Overlap: -1}, "1600/0 by blocks"},
		{ChunkOptions{Size: 60, Overlap: 10}, "60/10 by blocks"},
		{ChunkOptions{Size: 60}, "60/29 by blocks"}, // an overlap is less than half a passage
		{ChunkOptions{Size: 1, Overlap: 5}, "1/0 by blocks"},
	} {
		if got := test.o.Cut(); got != test.want {
			t.Errorf("%+v is %s, want %s", test.o, got, test.want)
		}
	}
}

func doc(id, title, text string) messages.Document {
	return messages.Document{ID: id, Title: title, Text: text}
}
