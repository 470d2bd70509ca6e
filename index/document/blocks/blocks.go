// Package blocks tells what a text consists of: headings, paragraphs, list
// items, code, tables. It reads plain text, with the marks that Markdown has for
// blocks, as messages.Document describes; text that people wrapped and indented
// by hand, such as a manual page, is read by its indentation.
//
//	blocks.go  Parse: a text as a list of blocks, and the lines they are read from
//	unit.go    Units: the sentences, steps, rows and code that must not be torn
//	path.go    Path: the headings above a place in a text
//
// The package knows no language but for where sentences end (package lang).
package blocks

import (
	"strings"
	"unicode/utf8"
)

// Kind says what a block is.
type Kind uint8

// The kinds.
const (
	Paragraph Kind = iota
	Heading
	Item  // of a list, with what is indented below it
	Code  // with the marks around it
	Table // all its rows
	Break // a form feed: what is before and behind must not stand together
)

// Block is a stretch of a text, in bytes, without the white space around it.
type Block struct {
	Kind       Kind
	Level      int // of a heading, from 1; of others, the columns they are indented by
	Start, End int
}

// Text returns the title of a heading, without its marks.
func (b Block) Title(text string) string {
	return strings.TrimSpace(strings.Trim(text[b.Start:b.End], "#"))
}

// Parse returns the blocks of text in order. Between two of them there is
// nothing but white space.
func Parse(text string) []Block { return Append(make([]Block, 0, len(text)/200+4), text) }

// Append appends the blocks of text to dst.
func Append(dst []Block, text string) []Block {
	p := parser{text: text, out: dst}
	for p.next() {
		p.line()
	}
	p.close()
	return p.out
}

// parser reads a text line by line.
type parser struct {
	text string
	out  []Block
	at   int // of the next line

	// The line that was read last.
	start, end int // without its indentation and what is blank at its end
	indent     int
	blank      bool

	open  bool // the last block of out may go on
	fence string
	empty bool // a blank line came before
}

// next reads a line.
func (p *parser) next() bool {
	if p.at >= len(p.text) {
		return false
	}
	from, to := p.at, len(p.text)
	if n := strings.IndexByte(p.text[from:], '\n'); n >= 0 {
		to = from + n
		p.at = to + 1
	} else {
		p.at = to
	}
	p.indent = 0
	for from < to && (p.text[from] == ' ' || p.text[from] == '\t') {
		if p.indent++; p.text[from] == '\t' {
			p.indent = (p.indent + 3) &^ 3
		}
		from++
	}
	for to > from && isBlank(p.text[to-1]) {
		to--
	}
	p.start, p.end, p.blank = from, to, from == to
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' }

// line adds the line that was read to the blocks.
func (p *parser) line() {
	line := p.text[p.start:p.end]
	switch {
	case p.fence != "":
		p.extend()
		if !p.blank && strings.HasPrefix(line, p.fence) && strings.Trim(line, p.fence[:1]) == "" {
			p.fence = ""
			p.close()
		}
		return
	case p.blank:
		p.empty = true
		return
	}
	after := p.empty
	p.empty = false
	kind, level := p.kindOf(line)
	switch kind {
	case Break:
		p.close()
		p.out = append(p.out, Block{Break, 0, p.start, p.end})
	case Heading:
		p.close()
		p.out = append(p.out, Block{Heading, level, p.start, p.end})
	case Code:
		p.fence = line[:fenceLength(line)]
		if p.within(after) {
			p.extend()
			return
		}
		p.begin(Code)
	case Table:
		if last := p.last(); last != nil && last.Kind == Table && !after {
			p.extend()
			return
		}
		p.begin(Table)
	case Item:
		// What is indented below an item is part of it, also a list.
		if p.within(after) && p.indent >= p.last().Level+2 {
			p.extend()
			return
		}
		p.begin(Item)
	default:
		last := p.last()
		switch {
		case last == nil, last.Kind == Table:
			p.begin(Paragraph)
		case last.Kind == Item && (p.within(after) || !after):
			p.extend()
		case after:
			p.begin(Paragraph)
		case last.Kind == Paragraph && p.indent >= last.Level+2 && strings.Count(p.text[last.Start:last.End], "\n") == 0 && last.Level > 0:
			// A term, and indented below it what it means, as manuals have it.
			last.Kind = Item
			p.extend()
		case last.Kind == Paragraph && p.indent+2 <= last.Level && last.Level > 0 && strings.Count(p.text[last.Start:last.End], "\n") > 0:
			p.begin(Paragraph)
		default:
			p.extend()
		}
	}
}

// kindOf says what begins with a line; Paragraph is what nothing marks.
func (p *parser) kindOf(line string) (Kind, int) {
	switch line[0] {
	case '\f':
		if strings.Trim(line, "\f") == "" {
			return Break, 0
		}
	case '#':
		n := 0
		for n < len(line) && line[n] == '#' {
			n++
		}
		if n <= 6 && n < len(line) && line[n] == ' ' && p.indent < 4 {
			return Heading, n
		}
	case '|':
		return Table, 0
	case '`', '~':
		if fenceLength(line) > 0 {
			return Code, 0
		}
	}
	if Marker(line) > 0 {
		return Item, 0
	}
	return Paragraph, 0
}

// fenceLength returns the length of the mark that opens a block of code, or 0.
func fenceLength(line string) int {
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return 0
	}
	return n
}

// Marker returns the length of a list item's mark at the start of line, with
// the white space behind it; 0 if there is none.
func Marker(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	switch {
	case r == '-' || r == '*' || r == '+' || r == '•' || r == '·' || r == '–':
	case r >= '0' && r <= '9':
		for n < len(line) && n < 4 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0
		}
		n++
	case r >= 'a' && r <= 'z' && len(line) > 1 && line[1] == ')':
		n = 2
	default:
		return 0
	}
	end := n
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	if end == n || end == len(line) {
		return 0
	}
	return end
}

// last is the block that may go on, or nil.
func (p *parser) last() *Block {
	if !p.open {
		return nil
	}
	return &p.out[len(p.out)-1]
}

// within reports whether the line stands, by its indentation, below the item
// that may go on.
func (p *parser) within(after bool) bool {
	last := p.last()
	return last != nil && last.Kind == Item && (p.indent >= last.Level+2 || !after && p.indent > last.Level)
}

func (p *parser) begin(k Kind) {
	p.out = append(p.out, Block{k, p.indent, p.start, p.end})
	p.open = true
}

func (p *parser) extend() { p.out[len(p.out)-1].End = max(p.end, p.out[len(p.out)-1].End) }

func (p *parser) close() { p.open = false }
