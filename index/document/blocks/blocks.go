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

// Title returns the title of a heading, without its marks.
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
	last := p.last()
	switch kind {
	case Break, Heading:
		p.close()
		p.out = append(p.out, Block{kind, level, p.start, p.end})
	case Code:
		p.fence = line[:fenceLength(line)]
		p.beginUnless(Code, p.within(after))
	case Table:
		p.beginUnless(Table, last != nil && last.Kind == Table && !after)
	case Item: // what is indented below an item is part of it, also a list
		p.beginUnless(Item, p.within(after) && p.indent >= last.Level+2)
	default:
		p.plain(after)
	}
}

// beginUnless begins a block, or goes on with the last one.
func (p *parser) beginUnless(k Kind, goesOn bool) {
	if goesOn {
		p.extend()
		return
	}
	p.begin(k)
}

// plain adds a line that nothing marks; after says that a blank one is before it.
func (p *parser) plain(after bool) {
	last := p.last()
	switch {
	case last == nil, last.Kind == Table:
		p.begin(Paragraph)
	case last.Kind == Item && (p.within(after) || !after):
		p.extend()
	case after:
		p.begin(Paragraph)
	case last.Kind == Paragraph && last.Level > 0:
		p.indented(last)
	default:
		p.extend()
	}
}

// indented adds a line to an indented paragraph, or begins another one.
func (p *parser) indented(last *Block) {
	several := strings.Contains(p.text[last.Start:last.End], "\n")
	switch {
	case p.indent >= last.Level+2 && !several:
		// A term, and indented below it what it means, as manuals have it.
		last.Kind = Item
		p.extend()
	case p.indent+2 <= last.Level && several:
		p.begin(Paragraph)
	default:
		p.extend()
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
	n := mark(line)
	end := n
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	if end == n || end == len(line) {
		return 0
	}
	return end
}

// mark returns the length of a bullet, or of a number or letter with its dot or
// bracket; 0 if line begins with none.
func mark(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	if strings.ContainsRune("-*+•·–", r) {
		return n
	}
	digits := 0
	for digits < len(line) && digits < 4 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	switch {
	case digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')'):
		return digits + 1
	case r >= 'a' && r <= 'z' && len(line) > 1 && line[1] == ')':
		return 2
	}
	return 0
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
