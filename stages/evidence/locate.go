package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Locate returns where quote stands in text, in bytes, white space and case
// aside, and whether it does. Quotation marks and dots of omission around the
// quote are no part of it. A quote that begins or ends within a word of text
// does not stand there.
func Locate(text, quote string) (from, to int, ok bool) {
	quote = strings.TrimFunc(quote, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"“”„«»'‘’`…", r) })
	if quote == "" || len(quote) > 2*len(text)+16 {
		return 0, 0, false
	}
	if from, to, ok = find(newFolded(text), newFolded(quote).text); ok || !strings.HasSuffix(quote, "...") && !strings.HasPrefix(quote, "...") {
		return from, to, ok
	}
	if quote = strings.TrimSpace(strings.Trim(quote, ".")); quote == "" {
		return 0, 0, false
	}
	return find(newFolded(text), newFolded(quote).text)
}

// folded is a text in lower case with single blanks, and where each of its
// bytes comes from.
type folded struct {
	text string
	at   []int // by byte of text: the byte of the original; one more for the end
}

func newFolded(s string) folded {
	var b strings.Builder
	b.Grow(len(s))
	at := make([]int, 0, len(s)+1)
	blank := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			if !blank {
				b.WriteByte(' ')
				at = append(at, i)
			}
			blank = true
		default:
			before := b.Len()
			b.WriteRune(unicode.ToLower(r))
			for range b.Len() - before {
				at = append(at, i)
			}
			blank = false
		}
		i += n
	}
	return folded{b.String(), append(at, len(s))}
}

// find looks for words, which are folded, as whole words.
func find(text folded, words string) (from, to int, ok bool) {
	for at := 0; ; {
		i := strings.Index(text.text[at:], words)
		if i < 0 {
			return 0, 0, false
		}
		i += at
		end := i + len(words)
		if whole(text.text, i, end) {
			to = text.at[end]
			if end > i { // the white space behind the last character is none of it
				_, n := utf8.DecodeLastRuneInString(text.text[:end])
				to = text.at[end-n] + width(text, end-n, end)
			}
			return text.at[i], to, true
		}
		_, n := utf8.DecodeRuneInString(text.text[i:])
		at = i + max(n, 1)
	}
}

// width is the length, in the original, of the character that stands at
// [from, to) of the folded text.
func width(text folded, from, to int) int {
	if n := text.at[to] - text.at[from]; n > 0 {
		return n
	}
	return 1
}

// whole reports whether [from, to) of s neither begins nor ends within a word.
func whole(s string, from, to int) bool {
	word := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !wide(r)
	}
	first, _ := utf8.DecodeRuneInString(s[from:])
	last, _ := utf8.DecodeLastRuneInString(s[:to])
	if from > 0 && word(first) {
		if r, _ := utf8.DecodeLastRuneInString(s[:from]); word(r) {
			return false
		}
	}
	if to < len(s) && word(last) {
		if r, _ := utf8.DecodeRuneInString(s[to:]); word(r) {
			return false
		}
	}
	return true
}

// wide reports whether r is of a script that puts no space between words.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
