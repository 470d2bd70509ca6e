package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a terminal obeys: bold, dim and plain letters.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

// Dim is text in faint letters.
func Dim(text string) string { return dim + text + reset }

// span is a stretch of a text, in bytes.
type span struct{ from, to int }

// mark returns text with the phrases in it in bold letters, whatever their
// case and what stands between their words. Where none of them is there as a
// whole, their words are marked, but for small ones.
func mark(text string, phrases []string) string {
	words := wordsOf(text)
	hit := make([]bool, len(words)) // the words to mark
	any := false
	for _, p := range phrases {
		any = markPhrase(text, words, p, hit) || any
	}
	for _, p := range phrases {
		if any {
			break
		}
		for _, w := range wordsOf(p) {
			if word := p[w.from:w.to]; telling(word) {
				markPhrase(text, words, word, hit)
			}
		}
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(words); i++ {
		if !hit[i] {
			continue
		}
		last := i
		for last+1 < len(words) && hit[last+1] && !strings.Contains(text[words[last].to:words[last+1].from], "\n") {
			last++
		}
		b.WriteString(text[done:words[i].from] + bold + text[words[i].from:words[last].to] + reset)
		done, i = words[last].to, last
	}
	return b.String() + text[done:]
}

// markPhrase notes in hit the words of text where all words of a phrase stand
// in order, and reports whether there are any.
func markPhrase(text string, words []span, phrase string, hit []bool) bool {
	want := wordsOf(phrase)
	found := false
	for i := 0; len(want) > 0 && i+len(want) <= len(words); i++ {
		same := true
		for k, w := range want {
			at := words[i+k]
			if same = strings.EqualFold(text[at.from:at.to], phrase[w.from:w.to]); !same {
				break
			}
		}
		for k := range want {
			hit[i+k] = hit[i+k] || same
		}
		found = found || same
	}
	return found
}

// wordsOf returns where the words of a text stand: its runs of letters and
// digits.
func wordsOf(text string) []span {
	var out []span
	from := -1
	for i, r := range text + " " {
		switch in := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r); {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			out = append(out, span{from, i})
			from = -1
		}
	}
	return out
}

// telling reports whether a word alone tells something of the answer: numbers,
// names and longer words do.
func telling(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) || unicode.IsDigit(first) || utf8.RuneCountInString(word) > 4
}
