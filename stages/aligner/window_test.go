package aligner_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hopstream/stages/aligner"
)

// windows are the texts of the windows.
func windows(text string, size int) []string {
	var out []string
	for _, w := range aligner.Windows(text, size) {
		out = append(out, text[w[0]:w[1]])
	}
	return out
}

func TestWindows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		size int
		want []string
	}{
		"empty":              {"", 10, nil},
		"short":              {"a b", 10, []string{"a b"}},
		"exactly":            {"0123456789", 10, []string{"0123456789"}},
		"no size":            {"a b c", 0, []string{"a b c"}},
		"half steps":         {"aa bb cc dd ee ff", 12, []string{"aa bb cc dd", "cc dd ee ff"}},
		"counted in letters": {"öö öö öö öö", 6, []string{"öö öö", "öö öö", "öö öö"}},
		"long word":          {"abcdefghij", 4, []string{"abcd", "cdef", "efgh", "ghij"}},
	} {
		if got := windows(c.text, c.size); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWindowsCutAtWords(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Überall stehen Wörter verschiedener Länge, auch 漢字. ", 20)
	words := map[string]bool{}
	for _, w := range strings.Fields(text) {
		words[w] = true
	}
	for _, size := range []int{40, 150, 250, 350} {
		for _, w := range windows(text, size) {
			for _, word := range strings.Fields(w) {
				if !words[word] {
					t.Fatalf("size %d: %q holds half a word, %q", size, w, word)
				}
			}
		}
	}
}

// FuzzWindows holds that windows cover the text in order, that none is larger
// than asked, and that there are not too many.
func FuzzWindows(f *testing.F) {
	f.Add("some words of a text, and more of them", 7)
	f.Add(strings.Repeat("x", 50)+"   "+strings.Repeat("ö ", 30), 9)
	f.Add("\xff\xfe a\xff", 1)
	f.Add(strings.Repeat(" ", 40), 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 || size > 1000 || len(text) > 2000 {
			return
		}
		windows := windows(text, size)
		at := 0 // the end of what is covered
		for i, w := range windows {
			if n := utf8.RuneCountInString(w); n > size {
				t.Fatalf("window %d has %d characters, more than %d", i, n, size)
			}
			covered := -1
			for from := 0; from <= at; { // a place where it continues the text so far
				k := strings.Index(text[from:], w)
				if k < 0 || from+k > at && !blank(text[at:from+k]) {
					break
				}
				covered, from = from+k+len(w), from+k+1
			}
			if covered < 0 {
				t.Fatalf("window %d, %q, leaves a gap after %q", i, w, text[:at])
			}
			at = max(at, covered)
		}
		if !blank(text[at:]) {
			t.Fatalf("%q is not covered", text[at:])
		}
		if most := 2 + 4*utf8.RuneCountInString(text)/max(1, size/2); len(windows) > most {
			t.Fatalf("%d windows, want at most %d", len(windows), most)
		}
	})
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}
