package markup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"hopstream/index/document/draft"
)

// maxToken is the longest token of HTML: pages carry pictures in attributes.
const maxToken = 16 << 20

// maxText is the most text that becomes one line.
const maxText = 32 << 10

// HTML reads a page: its title and its main text, without scripts, navigation
// and footers. A page may be in any encoding that it names.
func HTML(w *draft.Writer, from io.ReadSeeker) error {
	decoded, err := decoder(from)
	if err != nil {
		return err
	}
	text, err := decoded()
	if err != nil {
		return err
	}
	shape := survey(text)
	if text, err = decoded(); err != nil {
		return err
	}
	p := page{w: w, line: 1, shape: shape}
	return p.read(text)
}

// fragment reads HTML within another format, whose first line is given.
func fragment(w *draft.Writer, text string, line int) {
	p := page{w: w, line: line, shape: survey(strings.NewReader(text))}
	p.root = whole
	_ = p.read(strings.NewReader(text)) // a token that is too long cannot come from text in memory that is not
}

// page is a page being read.
type page struct {
	shape
	w    *draft.Writer
	line int // of the token

	text  []byte // of the block so far
	since int    // the line it began in
	space bool   // white space follows it

	skip  atom.Atom // the element that is passed over
	depth int       // of it within itself
	in    int       // how deep in elements of the name that holds the main text
	level int       // of the heading that is open
	title bool
	lists []htmlList
	pre   int
	code  []byte // the last line of a preformatted text
	rows  rows
}

func (p *page) read(from io.Reader) error {
	z := html.NewTokenizer(from)
	z.SetMaxBuf(maxToken)
	for p.w.Err() == nil {
		kind := z.Next()
		if kind == html.ErrorToken {
			p.end()
			return tokenError(z.Err(), p.line)
		}
		lines := bytes.Count(z.Raw(), []byte("\n"))
		switch kind {
		case html.TextToken:
			p.words(z)
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(z, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.close(atom.Lookup(name))
		}
		p.line += lines
	}
	return nil
}

func tokenError(err error, line int) error {
	switch {
	case err == io.EOF:
		return nil
	case errors.Is(err, html.ErrBufferExceeded):
		return fmt.Errorf("holds a tag or text of more than %d MB from line %d on: take it out, or save the page as text", maxToken>>20, line)
	}
	return fmt.Errorf("breaks off in line %d: %w", line, err)
}

// outside reports whether the place is not in the main text.
func (p *page) outside() bool { return p.root != whole && p.in == 0 }

//revive:disable-next-line:cyclomatic one case per reason to pass over
func (p *page) start(z *html.Tokenizer, closed bool) {
	name, more := z.TagName()
	a := atom.Lookup(name)
	if p.skip != 0 {
		if a == p.skip && !closed {
			p.depth++
		}
		return
	}
	var t attributes
	if more {
		t.read(z)
	}
	if a == atom.Meta && t.date {
		p.w.Date(t.content)
	}
	if p.root != whole && a == p.name && !closed && (p.in > 0 || p.root.begins(a, t)) {
		p.in++
	}
	switch {
	case a == atom.Title && !closed:
		p.title = true
		return
	case roles[a] == skipped && !closed && p.balanced(a) || t.hidden && a != 0 && !closed && !void[a]:
		p.skip, p.depth = a, 1
		return
	case p.outside():
		return
	}
	p.open(a, t)
}

// open begins an element within the main text.
func (p *page) open(a atom.Atom, t attributes) {
	switch roles[a] {
	case paragraph:
		p.block()
	case line:
		p.breakLine()
	case heading:
		p.block()
		p.level = int(a.String()[1] - '0')
	case list:
		p.openList(a, t)
	case item:
		p.openItem()
	case term:
		p.openTerm()
	case meaning:
		p.flush()
	case preformatted:
		p.block()
		p.rows.layout(p)
		p.pre++
		p.w.Code(t.language, 3)
	case table:
		p.block()
		p.rows.open(p)
	case row:
		p.rows.row(p)
	case cell:
		p.rows.cell(p)
	default:
		if a == atom.Code && p.pre > 0 && t.language != "" && len(p.code) == 0 {
			p.w.Code(t.language, 3)
		}
	}
}

func (p *page) close(a atom.Atom) {
	if p.skip != 0 {
		if a == p.skip {
			if p.depth--; p.depth == 0 {
				p.skip = 0
			}
		}
		return
	}
	if a == atom.Title {
		p.title = false
	}
	if p.outside() {
		return
	}
	switch roles[a] {
	case paragraph:
		p.block()
	case line:
		p.breakLine()
	case heading:
		p.block()
	case list:
		p.closeList()
	case item, term, meaning:
		p.flush()
	case preformatted:
		p.closePre()
	case table:
		p.rows.close(p)
	case row:
		p.rows.end(p)
	case cell:
		p.rows.endCell(p)
	}
	if p.in > 0 && a == p.name {
		if p.in--; p.in == 0 {
			p.end()
		}
	}
}

// words adds text to the block.
func (p *page) words(z *html.Tokenizer) {
	switch {
	case p.title:
		if p.w.Known() == "" {
			p.w.Title(string(z.Text()))
		}
		return
	case p.skip != 0 || p.outside():
		return
	case p.pre > 0:
		p.codeLines(z.Text())
		return
	}
	raw := z.Raw()
	lead := 0
	for _, c := range raw[:len(raw)-len(bytes.TrimLeft(raw, " \t\r\n"))] {
		if c == '\n' {
			lead++
		}
	}
	p.add(z.Text(), p.line+lead)
}

// add appends text, its white space as one blank.
func (p *page) add(text []byte, line int) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if unicode.IsSpace(r) {
			p.space = true
			text = text[n:]
			continue
		}
		if len(p.text) == 0 {
			p.since = line
		} else if p.space {
			p.text = append(p.text, ' ')
		}
		p.space = false
		end := n
		for end < len(text) && text[end] > ' ' && text[end] < utf8.RuneSelf {
			end++
		}
		p.text = append(p.text, text[:end]...)
		text = text[end:]
		if len(p.text) > maxText {
			p.flush()
		}
	}
}

// flush writes the text so far as a line.
func (p *page) flush() {
	if len(p.text) > 0 {
		text := string(p.text)
		p.text = p.text[:0]
		switch {
		case p.level > 0 && len(p.lists) == 0 && !p.rows.in():
			p.w.Heading(p.level, text, p.since)
		case p.rows.take(text, p.since):
		default:
			p.w.Line(text, p.since)
		}
	}
	p.space = false
}

func (p *page) block() {
	p.flush()
	p.level = 0
	if !p.rows.in() {
		p.w.Block()
	}
}

// breakLine ends a line within a block; in headings and tables it is a blank.
func (p *page) breakLine() {
	if p.level > 0 || p.rows.in() {
		p.space = true
		return
	}
	p.flush()
}

// codeLines writes the lines of a preformatted text that are complete.
func (p *page) codeLines(text []byte) {
	line := p.line
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			break
		}
		p.w.CodeLine(string(append(p.code, text[:i]...)), line)
		p.code, text = p.code[:0], text[i+1:]
		line++
	}
	p.code = append(p.code, text...)
}

func (p *page) closePre() {
	if p.pre == 0 {
		return
	}
	if p.pre--; p.pre > 0 {
		return
	}
	if len(p.code) > 0 {
		p.w.CodeLine(string(p.code), p.line)
		p.code = p.code[:0]
	}
	p.w.EndCode()
}

// end closes what is open.
func (p *page) end() {
	p.pre = min(p.pre, 1)
	p.closePre()
	p.block()
	for p.rows.in() {
		p.rows.close(p)
	}
	for len(p.lists) > 0 {
		p.closeList()
	}
}
