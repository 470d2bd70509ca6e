package draft

import (
	"strings"
	"unicode/utf8"

	"hopstream/messages"
)

// spot is a place in the text where a part may end.
type spot struct {
	off, n int      // bytes and lines before it
	path   []string // of the headings above it
	fence  string   // of the code it stands in
}

// spots are the latest places of each kind; a zero one is none.
type spots struct {
	section, block, line spot
}

// maxCost is the most bytes of a part as JSON, with its places.
const maxCost = 760_000

// space writes the gap before a line.
func (w *Writer) space() {
	if w.gap != none && w.n > 0 && !endsBlank(w.b) {
		w.b = append(w.b, '\n')
		w.n++
		w.cost += 2
		w.spots.block = spot{len(w.b), w.n, w.path, ""}
	}
	w.gap = none
}

func endsBlank(b []byte) bool {
	n := len(b)
	return n >= 2 && b[n-1] == '\n' && (b[n-2] == '\n' || b[n-2] == '\f')
}

// put writes a line as it is, behind the indentation and the mark of its item.
func (w *Writer) put(text string, line int) {
	for longest := min(64<<10, max(w.limit/4, 16)); len(text) > longest; {
		n := cutAt(text, longest)
		w.one(text[:n], line)
		text = strings.TrimLeft(text[n:], " ")
	}
	w.one(text, line)
}

func (w *Writer) one(text string, line int) {
	if w.err != nil {
		return
	}
	w.spots.line = spot{len(w.b), w.n, w.path, w.fence}
	w.place(line)
	size := len(w.b)
	columns := 0
	for _, n := range w.indent {
		columns += n
	}
	if w.mark != "" {
		columns -= len(w.mark) + 1
	}
	if text != "\f" && (text != "" || w.mark != "") {
		for range min(columns, maxIndent) {
			w.b = append(w.b, ' ')
		}
	}
	if w.mark != "" {
		w.b = append(w.b, w.mark...)
		w.b = append(w.b, ' ')
	}
	w.mark = ""
	w.b = append(w.b, text...)
	w.b = append(w.b, '\n')
	w.n++
	w.cost += encoded(w.b[size:])
	if len(w.b) > w.limit || w.cost > maxCost {
		w.split()
	}
}

// place notes where the next line stands.
func (w *Writer) place(line int) {
	if line <= 0 {
		line = w.before + w.n + 1
	}
	w.last = line
	if n := len(w.lines); n == 0 || w.lines[n-1][1]+w.n-w.lines[n-1][0] != line {
		w.lines = append(w.lines, [2]int{w.n, line})
		w.cost += 16
	}
	if w.page > 0 && (len(w.pages) == 0 || w.pages[len(w.pages)-1][1] != w.page) {
		w.pages = append(w.pages, [2]int{w.n, w.page})
		w.cost += 16
	}
}

// encoded is how many bytes a line takes as JSON.
func encoded(b []byte) int {
	n := len(b)
	for _, c := range b {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\t':
			n++
		case c == '<' || c == '>' || c == '&' || c < ' ':
			n += 5
		}
	}
	return n
}

// split hands on what stands before the best place to cut.
func (w *Writer) split() {
	at := w.spots.line
	for _, s := range []spot{w.spots.section, w.spots.block} {
		if s.off >= len(w.b)/2 {
			at = s
			break
		}
	}
	if at.off == 0 {
		return // one line is all there is
	}
	rest := append([]byte(nil), w.b[at.off:]...)
	lines, pages, n := w.lines, w.pages, w.n-at.n
	w.b, w.n = w.b[:at.off], at.n
	w.lines, w.pages = cutPairs(lines, at.n), cutPairs(pages, at.n)
	if at.fence != "" {
		w.b = append(append(w.b, at.fence...), '\n')
	}
	w.flush()
	w.start = at.path
	if at.fence != "" {
		w.b = append(append(w.b, at.fence...), '\n')
		w.n++
	}
	moved := w.n
	w.lines = append(w.lines, lines.Slice(at.n, at.n+n)...)
	w.pages = append(w.pages, pages.Slice(at.n, at.n+n)...)
	for i := range w.lines {
		w.lines[i][0] += moved
	}
	for i := range w.pages {
		w.pages[i][0] += moved
	}
	w.b = append(w.b, rest...)
	w.n += n
	w.cost = encoded(w.b) + 16*(len(w.lines)+len(w.pages))
}

// cutPairs returns the pairs before line n.
func cutPairs(pairs [][2]int, n int) [][2]int {
	for len(pairs) > 0 && pairs[len(pairs)-1][0] >= n {
		pairs = pairs[:len(pairs)-1]
	}
	return pairs[:len(pairs):len(pairs)]
}

// flush hands on the text that there is.
func (w *Writer) flush() {
	text := strings.TrimRight(string(w.b), "\n\f ")
	if w.err == nil && strings.TrimSpace(text) != "" {
		p := Part{Title: w.title, Date: w.date, Text: text, Place: messages.Place{
			Heading: strings.Join(w.start, messages.HeadingSeparator), Lines: w.lines, Pages: w.pages}}
		if len(p.Lines) == 1 && p.Lines[0] == [2]int{0, 1} && w.before == 0 {
			p.Lines = nil // the text's own
		}
		w.parts++
		w.err = w.emit(p)
	}
	w.before += w.n
	w.b, w.n, w.cost = w.b[:0], 0, 0
	w.lines, w.pages = nil, nil
	w.spots = spots{}
	w.start = w.path
}

// cutAt returns where to cut a line of more than n bytes: behind a sentence,
// else a word, else a character.
func cutAt(s string, n int) int {
	head := s[:n]
	if i := max(strings.LastIndex(head, ". "), strings.LastIndex(head, "? "), strings.LastIndex(head, "! ")); i > n/2 {
		return i + 2
	}
	for _, end := range []string{"。", " ", ",", ";", ">", "}"} {
		if i := strings.LastIndex(head, end); i > n/2 {
			return i + len(end)
		}
	}
	for n > 1 && !utf8.RuneStart(s[n]) && n > len(head)-utf8.UTFMax {
		n--
	}
	return n
}
