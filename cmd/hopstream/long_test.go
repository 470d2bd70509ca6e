package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// book is a text of n chapters of about 4 kB, each with a word of its own.
func book(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "# Chapter %d\n\nThe secret of this chapter is zq%dx.\n\n%s\n\n", i, i, strings.Repeat("Nothing else is said here, and at length. ", 96))
	}
	return b.String()
}

// TestLongFile holds that a file too long for one message is read whole, and
// that the index holds all of it, and nothing else, however often it grows
// beyond a message, changes, or shrinks again while workers follow.
func TestLongFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "docs", "book.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	w := up(t, filepath.Join(dir, "data"))
	for _, c := range []struct {
		chapters int
		first    string
	}{{3, ""}, {400, ""}, {400, "Another beginning.\n\n"}, {250, "x\n\n"}, {2, ""}, {300, ""}} {
		text := "# Book\n\n" + c.first + book(c.chapters)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		hopstream(t, "", "index", "--data", w.Data, filepath.Dir(path)).Exits(0).Prints("1 stored, 0 unchanged, 0 deleted")
		ls := hopstream(t, "", "docs", "ls", "--json", "--data", w.Data).Exits(0)
		if n := strings.Count(ls.Out, "\n"); n != 1 || !strings.Contains(ls.Out, `"id":"book.md"`) {
			t.Errorf("%d chapters: %d documents: %s", c.chapters, n, ls.Out)
		}
		for _, i := range []int{0, c.chapters / 3, c.chapters / 2, c.chapters - 1} {
			word := fmt.Sprintf("zq%dx", i)
			o := hopstream(t, "", "search", "--json", "--data", w.Data, "secret "+word).Exits(0)
			line := 1 + strings.Count(text[:strings.Index(text, word)], "\n")
			if !strings.Contains(o.Out, word) || !strings.Contains(o.Out, fmt.Sprintf(`"heading":"Chapter %d"`, i)) && (i > 0 || c.first == "") {
				t.Errorf("%d chapters: chapter %d is lost: %.300s", c.chapters, i, o.Out)
			}
			if !strings.Contains(o.Out, fmt.Sprintf(`"lines":[%d,`, line-2)) && (i > 0 || c.first == "") {
				t.Errorf("%d chapters: chapter %d stands at line %d: %.300s", c.chapters, i, line-2, o.Out)
			}
		}
		gone := hopstream(t, "", "search", "--json", "--data", w.Data, fmt.Sprintf("zq%dx", c.chapters))
		if strings.Count(gone.Out, fmt.Sprintf("zq%dx", c.chapters)) != 1 { // the query itself
			t.Errorf("%d chapters: there is one more", c.chapters)
		}
	}
}
