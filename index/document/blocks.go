package document

import (
	"strings"
	"unicode"
)

// blockWriter collects text: white space within a block becomes one blank, a
// line or a block ends at most once, and nothing begins or ends with either.
type blockWriter struct {
	b   strings.Builder
	gap string // to be written before the next text
}

func (w *blockWriter) space() { w.wider(" ") }
func (w *blockWriter) line()  { w.wider("\n") }
func (w *blockWriter) block() { w.wider("\n\n") }

func (w *blockWriter) wider(gap string) {
	if rank(gap) > rank(w.gap) {
		w.gap = gap
	}
}

func rank(gap string) int {
	if gap == " " {
		return 1
	}
	return 2 * len(gap)
}

func (w *blockWriter) flush() {
	if w.b.Len() > 0 {
		w.b.WriteString(w.gap)
	}
	w.gap = ""
}

func (w *blockWriter) text(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			w.space()
			continue
		}
		if w.gap != "" {
			w.flush()
		}
		w.b.WriteRune(r)
	}
}

// raw writes s as it is.
func (w *blockWriter) raw(s string) {
	if strings.TrimSpace(s) == "" && w.b.Len() == 0 {
		return
	}
	w.flush()
	w.b.WriteString(s)
}

func (w *blockWriter) String() string { return strings.TrimSpace(w.b.String()) }
