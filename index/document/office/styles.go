package office

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// style is a paragraph style of DOCX.
type style struct {
	name, base string
	outline    int // from 1; 0 for text
	list       string
}

// styles reads the styles of a DOCX.
type styles struct {
	byID map[string]*style
	at   *style
}

func (s *styles) start(name string, attrs []xml.Attr) {
	switch {
	case name == "style":
		s.at = &style{}
		s.byID[attr(attrs, "styleId")] = s.at
	case s.at == nil:
	case name == "name":
		s.at.name = strings.ToLower(attr(attrs, "val"))
	case name == "basedOn":
		s.at.base = attr(attrs, "val")
	case name == "outlineLvl":
		s.at.outline = outline(attrs)
	case name == "numId":
		s.at.list = attr(attrs, "val")
	}
}

func (s *styles) end(name string) {
	if name == "style" {
		s.at = nil
	}
}

func (s *styles) text([]byte) {}

// outline returns a level of a heading, from 1; level 9 is that of text.
func outline(attrs []xml.Attr) int {
	n, err := strconv.Atoi(attr(attrs, "val"))
	if err != nil || n < 0 || n > 8 {
		return 0
	}
	return n + 1
}

// of returns what a style says, with the styles that it builds on.
func (s *styles) of(id string) (level int, title, code bool, list string) {
	for range 10 {
		st := s.byID[id]
		name := ""
		if st != nil {
			name = st.name
		} else {
			name = strings.ToLower(id) // of a document without styles
		}
		if n, ok := strings.CutPrefix(strings.ReplaceAll(name, " ", ""), "heading"); ok && level == 0 && len(n) == 1 && n[0] >= '1' && n[0] <= '9' {
			level = int(n[0] - '0')
		}
		title = title || name == "title"
		code = code || strings.Contains(name, "code") || strings.Contains(name, "preformatted")
		if st == nil {
			break
		}
		if level == 0 {
			level = st.outline
		}
		if list == "" {
			list = st.list
		}
		if id = st.base; id == "" {
			break
		}
	}
	return level, title, code, list
}

// numbering reads which lists of a DOCX are numbered, by their levels.
type numbering struct {
	abstract map[string]map[string]bool // numbered levels of the definitions
	lists    map[string]string          // definition of each list
	def      string
	list     string
	level    string
}

func (n *numbering) start(name string, attrs []xml.Attr) {
	switch name {
	case "abstractNum":
		n.def = attr(attrs, "abstractNumId")
		n.abstract[n.def] = map[string]bool{}
	case "num":
		n.list = attr(attrs, "numId")
	case "abstractNumId":
		n.lists[n.list] = attr(attrs, "val")
	case "lvl":
		n.level = attr(attrs, "ilvl")
	case "numFmt":
		if levels := n.abstract[n.def]; levels != nil {
			v := attr(attrs, "val")
			levels[n.level] = v != "bullet" && v != "none"
		}
	}
}

func (n *numbering) end(string)  {}
func (n *numbering) text([]byte) {}

func (n *numbering) numbered(list, level string) bool { return n.abstract[n.lists[list]][level] }
