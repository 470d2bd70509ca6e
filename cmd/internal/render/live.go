package render

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Live shows how a question is worked on: a line for each thing that happened,
// and below them the text of its answer while that is being written. It is safe
// for concurrent use.
type Live struct {
	mu    sync.Mutex
	out   io.Writer
	width func() int // of a row, in cells
	text  string
	rows  int // how many rows of the text stand there
}

// liveRows is how many rows of a text are shown, its last ones: more could not
// be taken off a small terminal again.
const liveRows = 8

// NewLive returns what shows a question on out; width is asked how many cells a
// row of the terminal has.
func NewLive(out io.Writer, width func() int) *Live { return &Live{out: out, width: width} }

// Line prints a line above the text.
func (l *Live) Line(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draw(line + "\n")
}

// Add shows more of the text, or with reset takes off what is there before.
func (l *Live) Add(text string, reset bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if reset {
		l.text = ""
	}
	l.text += text
	l.draw("")
}

// Clear takes the text off.
func (l *Live) Clear() { l.Add("", true) }

// draw prints a line in place of the text, and the text below it, in one write.
func (l *Live) draw(line string) {
	var b strings.Builder
	if l.rows > 0 {
		b.WriteString("\r" + strings.Repeat("\x1b[A", l.rows-1) + "\x1b[J") // to where it began, and nothing from there on
	}
	b.WriteString(line)
	rows := wrap(plain(l.text), max(20, l.width())-1) // the last cell of a row is left free: a full row may begin another
	rows = rows[max(0, len(rows)-liveRows):]
	if l.rows = len(rows); l.rows > 0 {
		b.WriteString(Dim(strings.Join(rows, "\n")))
	}
	if b.Len() > 0 {
		fmt.Fprint(l.out, b.String())
	}
}

// wrap cuts a text into rows of so many cells at most, between words where there
// are any. A letter that may be two cells wide counts as two.
func wrap(text string, cells int) (rows []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", " "), "\n") {
		used, from, space := 0, 0, -1
		for at, r := range line {
			wide := 1
			if r >= 0x1100 {
				wide = 2
			}
			if used+wide > cells {
				end := at
				if space > from {
					end = space
				}
				rows = append(rows, line[from:end])
				from = end
				used = cellsOf(line[from:at])
			}
			if r == ' ' {
				space = at + 1
			}
			used += wide
		}
		rows = append(rows, line[from:])
	}
	return rows
}

// cellsOf is how many cells a text takes at most.
func cellsOf(text string) (n int) {
	for _, r := range text {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}
