package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"hopstream/index/document/draft"
)

// DOCX reads a document of Word.
func DOCX(w *draft.Writer, from draft.File) error {
	a, err := open(from, "word/document.xml", "DOCX")
	if err != nil {
		return err
	}
	if err := a.properties("docProps/core.xml", w); err != nil {
		return err
	}
	d := docx{flow: flow{w: w},
		styles:    styles{byID: map[string]*style{}},
		numbering: numbering{abstract: map[string]map[string]bool{}, lists: map[string]string{}}}
	if err := a.read("word/styles.xml", &d.styles, nil); err != nil {
		return err
	}
	if err := a.read("word/numbering.xml", &d.numbering, nil); err != nil {
		return err
	}
	for _, part := range []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"} {
		if err := a.read(part, &d, w.Err); err != nil {
			return err
		}
		d.flush()
		d.plain()
	}
	return nil
}

// docx reads the body of a document.
type docx struct {
	flow
	styles    styles
	numbering numbering

	open   []paragraph // within each other, as in frames
	inText bool
	skip   int // elements deep in what is passed over
	titled bool
}

// paragraph is a paragraph being read.
type paragraph struct {
	b           strings.Builder
	style       string
	list, depth string
	outline     int
}

// maxOpen is how deep paragraphs stand within each other.
const maxOpen = 20

func (d *docx) start(name string, attrs []xml.Attr) {
	switch {
	case d.skip > 0:
		d.skip++
		return
	case name == "Fallback" || name == "sectPr" || name == "pPrChange":
		d.skip = 1
		return
	case name == "p":
		if len(d.open) >= maxOpen {
			d.flush()
		}
		d.open = append(d.open, paragraph{})
		return
	case name == "tbl":
		d.openTable()
	case name == "tc":
		d.openCell()
	}
	if len(d.open) == 0 {
		return
	}
	p := &d.open[len(d.open)-1]
	switch name {
	case "pStyle":
		p.style = attr(attrs, "val")
	case "numId":
		p.list = attr(attrs, "val")
	case "ilvl":
		p.depth = attr(attrs, "val")
	case "outlineLvl":
		p.outline = outline(attrs)
	case "t":
		d.inText = true
	case "tab":
		p.b.WriteByte('\t')
	case "br", "cr":
		p.b.WriteByte('\n')
	case "noBreakHyphen":
		p.b.WriteByte('-')
	}
}

func (d *docx) end(name string) {
	if d.skip > 0 {
		d.skip--
		return
	}
	switch name {
	case "t":
		d.inText = false
	case "p":
		d.closeParagraph()
	case "tc":
		d.closeCell()
	case "tr":
		d.closeRow()
	case "tbl":
		d.closeTable()
	}
}

func (d *docx) text(b []byte) {
	if !d.inText || d.skip > 0 || len(d.open) == 0 {
		return
	}
	p := &d.open[len(d.open)-1]
	p.b.Write(b)
	if p.b.Len() > maxParagraph {
		d.flow.paragraph(p.b.String())
		p.b.Reset()
	}
}

// flush closes what is open.
func (d *docx) flush() {
	for len(d.open) > 0 {
		d.closeParagraph()
	}
	d.inText, d.skip = false, 0
}

func (d *docx) closeParagraph() {
	n := len(d.open)
	if n == 0 {
		return
	}
	p := &d.open[n-1]
	d.open = d.open[:n-1]
	text := strings.Trim(p.b.String(), "\n")
	level, title, code, list := d.styles.of(p.style)
	if p.outline > 0 {
		level = p.outline
	}
	if p.list == "" {
		p.list = list
	}
	switch {
	case code:
		d.codeLines(text)
	case strings.TrimSpace(text) == "":
	case title && !d.titled:
		d.titled = true
		d.w.Title(text)
	case p.style == "Date" && draft.Date(text) != "":
		d.w.Date(text)
	case level > 0:
		d.heading(level, text)
	case p.list != "" && p.list != "0":
		if p.depth == "" {
			p.depth = "0"
		}
		depth, _ := strconv.Atoi(p.depth)
		d.item(depth, d.numbering.numbered(p.list, p.depth), text)
	default:
		d.flow.paragraph(text)
	}
}
