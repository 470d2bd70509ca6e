package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"hopstream/index/document/draft"
)

// ODT reads a text document of LibreOffice and others.
func ODT(w *draft.Writer, from draft.File) error {
	a, err := open(from, "content.xml", "ODT")
	if err != nil {
		return err
	}
	var manifest encryption
	if err := a.read("META-INF/manifest.xml", &manifest, nil); err != nil {
		return err
	}
	if manifest {
		return errEncrypted
	}
	if err := a.properties("meta.xml", w); err != nil {
		return err
	}
	o := odt{flow: flow{w: w}, parents: map[string]string{}, numbered: map[string]bool{}}
	if err := a.read("styles.xml", &odtStyles{&o}, nil); err != nil {
		return err
	}
	if err := a.read("content.xml", &o, w.Err); err != nil {
		return err
	}
	o.plain()
	return nil
}

// odt reads the content of a document.
type odt struct {
	flow
	parents  map[string]string // of the styles
	numbered map[string]bool   // levels of lists, as name and level
	list     string            // style being read

	open   []odtParagraph
	lists  []string // styles of those that are open
	fresh  bool     // the item has no paragraph yet
	skip   int
	titled bool
}

type odtParagraph struct {
	b     strings.Builder
	style string
	level int
}

// passedOver are the elements whose text is none of the document's.
var passedOver = map[string]bool{
	"annotation": true, "tracked-changes": true, "note-citation": true, "title": true, "desc": true,
	"table-of-content": true, "alphabetical-index": true, "forms": true, "sequence-decls": true, "bibliography-index-source": true,
}

func (o *odt) start(name string, attrs []xml.Attr) {
	if o.skip > 0 || passedOver[name] {
		o.skip++
		return
	}
	if o.define(name, attrs) {
		return
	}
	switch name {
	case "h", "p":
		level, _ := strconv.Atoi(attr(attrs, "outline-level"))
		if name == "h" {
			level = max(level, 1)
		}
		if len(o.open) >= maxOpen {
			o.closeParagraph()
		}
		o.open = append(o.open, odtParagraph{style: attr(attrs, "style-name"), level: level})
	case "list":
		style := attr(attrs, "style-name")
		if style == "" && len(o.lists) > 0 {
			style = o.lists[len(o.lists)-1]
		}
		if len(o.lists) == 0 && attr(attrs, "continue-numbering") != "true" {
			clear(o.counts[:])
		}
		o.lists = append(o.lists, style)
	case "list-item", "list-header":
		o.fresh = true
	case "table":
		o.openTable()
	case "table-cell", "covered-table-cell":
		o.openCell()
	case "s":
		n, _ := strconv.Atoi(attr(attrs, "c"))
		o.text([]byte(strings.Repeat(" ", min(max(n, 1), 200))))
	case "tab":
		o.text([]byte("\t"))
	case "line-break":
		o.text([]byte("\v"))
	}
}

// define notes styles.
func (o *odt) define(name string, attrs []xml.Attr) bool {
	switch name {
	case "style":
		o.parents[attr(attrs, "name")] = attr(attrs, "parent-style-name")
	case "list-style":
		o.list = attr(attrs, "name")
	case "list-level-style-number":
		o.numbered[o.list+" "+attr(attrs, "level")] = attr(attrs, "num-format") != ""
	default:
		return false
	}
	return true
}

func (o *odt) end(name string) {
	if o.skip > 0 {
		o.skip--
		return
	}
	switch name {
	case "h", "p":
		o.closeParagraph()
	case "list":
		if n := len(o.lists); n > 0 {
			o.lists = o.lists[:n-1]
		}
	case "table-cell", "covered-table-cell":
		o.closeCell()
	case "table-row":
		o.closeRow()
	case "table":
		o.closeTable()
	}
}

func (o *odt) text(b []byte) {
	if o.skip > 0 || len(o.open) == 0 {
		return
	}
	p := &o.open[len(o.open)-1]
	for _, c := range b {
		switch c {
		case '\n', '\r':
			c = ' '
		case '\v':
			c = '\n'
		}
		p.b.WriteByte(c)
	}
	if p.b.Len() > maxParagraph {
		o.paragraph(p.b.String())
		p.b.Reset()
	}
}

func (o *odt) closeParagraph() {
	n := len(o.open)
	if n == 0 {
		return
	}
	p := &o.open[n-1]
	o.open = o.open[:n-1]
	text := p.b.String()
	title, code := o.kind(p.style)
	depth := len(o.lists)
	switch {
	case code:
		o.codeLines(text)
	case strings.TrimSpace(text) == "":
	case title && !o.titled:
		o.titled = true
		o.w.Title(text)
	case p.style == "Date" && draft.Date(text) != "":
		o.w.Date(text)
	case p.level > 0:
		o.heading(p.level, text)
	case depth > 0 && o.fresh:
		o.fresh = false
		o.item(depth-1, o.numbered[o.lists[depth-1]+" "+strconv.Itoa(depth)], text)
	default:
		o.paragraph(text)
	}
}

// kind says what a style is for.
func (o *odt) kind(style string) (title, code bool) {
	for range 10 {
		name := strings.ToLower(style)
		title = title || name == "title"
		code = code || strings.HasPrefix(name, "preformatted") || strings.Contains(name, "source_20_code")
		if style = o.parents[style]; style == "" {
			break
		}
	}
	return title, code
}

// odtStyles reads nothing but styles.
type odtStyles struct{ o *odt }

func (s *odtStyles) start(name string, attrs []xml.Attr) { s.o.define(name, attrs) }
func (s *odtStyles) end(string)                          {}
func (s *odtStyles) text([]byte)                         {}

// encryption is whether the manifest says that parts are encrypted.
type encryption bool

func (e *encryption) start(name string, _ []xml.Attr) {
	*e = *e || name == "encryption-data"
}
func (e *encryption) end(string)  {}
func (e *encryption) text([]byte) {}
