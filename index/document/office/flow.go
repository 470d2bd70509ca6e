package office

import (
	"strings"

	"hopstream/index/document/draft"
)

// longCell is the most bytes of a cell; a longer one belongs to a table that
// lays out the page.
const longCell = 2000

// maxParagraph is the most bytes of a paragraph: more is cut into several.
const maxParagraph = 256 << 10

// flow writes paragraphs as they come: within cells they are collected.
type flow struct {
	w      *draft.Writer
	counts [10]int // of the items of the numbered lists, by depth
	code   bool

	tables int // open, within each other
	cells  []string
	inCell bool
}

// paragraphs writes text as a paragraph, whose lines are parted by \n.
func (f *flow) paragraph(text string) {
	if f.take(text) {
		return
	}
	f.plain()
	f.w.Block()
	f.lines(text)
	f.w.Block()
}

func (f *flow) lines(text string) {
	for s := range strings.SplitSeq(text, "\n") {
		f.w.Line(strings.Join(strings.Fields(s), " "), 0)
	}
}

func (f *flow) heading(level int, text string) {
	if f.take(text) {
		return
	}
	f.plain()
	f.w.Heading(level, text, 0)
}

// item writes an item of a list; those of deeper lists count anew behind it.
func (f *flow) item(depth int, numbered bool, text string) {
	if f.take(text) || strings.TrimSpace(text) == "" {
		return
	}
	f.code = false
	f.w.EndCode()
	depth = min(max(depth, 0), len(f.counts)-1)
	mark := "-"
	if numbered {
		f.counts[depth]++
		mark = draft.Number(f.counts[depth])
	}
	clear(f.counts[depth+1:])
	first, rest, _ := strings.Cut(text, "\n")
	f.w.Item(depth, mark, strings.Join(strings.Fields(first+" "+rest), " "), 0)
}

// codeLines writes paragraphs of code one below the other.
func (f *flow) codeLines(text string) {
	if f.take(text) {
		return
	}
	if !f.code {
		f.w.Code("", 3)
		f.code = true
	}
	for s := range strings.SplitSeq(text, "\n") {
		f.w.CodeLine(s, 0)
	}
}

// plain ends what is no paragraph.
func (f *flow) plain() {
	if f.code {
		f.w.EndCode()
	}
	f.code = false
	clear(f.counts[:])
}

// take adds text to the open cell.
func (f *flow) take(text string) bool {
	if f.tables == 0 || !f.inCell {
		return false
	}
	last := &f.cells[len(f.cells)-1]
	if *last != "" {
		*last += "\n"
	}
	*last += text
	return true
}

func (f *flow) openTable() {
	if f.tables++; f.tables == 1 {
		f.plain()
		f.w.Block()
	}
}

func (f *flow) closeTable() {
	if f.tables > 0 {
		f.tables--
	}
	if f.tables == 0 {
		f.inCell = false
		f.w.Block()
	}
}

// openCell begins a cell; a table within one is part of its text.
func (f *flow) openCell() {
	if f.tables == 1 {
		f.cells, f.inCell = append(f.cells, ""), true
	}
}

func (f *flow) closeCell() {
	if f.tables == 1 {
		f.inCell = false
	}
}

// closeRow writes the row.
func (f *flow) closeRow() {
	if f.tables != 1 {
		return
	}
	long := len(f.cells) == 1
	for _, c := range f.cells {
		long = long || len(c) > longCell
	}
	if long {
		for _, c := range f.cells {
			f.w.Block()
			f.lines(c)
		}
		f.w.Block()
	} else {
		f.w.Row(f.cells, 0)
	}
	f.cells, f.inCell = nil, false
}
