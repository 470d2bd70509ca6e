package office

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// slide reads a slide, or the notes to one.
type slide struct {
	flow
	notes bool

	shape    string // kind of the placeholder
	bulleted bool   // a placeholder's paragraphs are items, unless they say otherwise
	inText   bool
	skip     int
	b        strings.Builder
	depth    int
	none     bool // no bullet
	bullet   bool
	number   bool
	title    []string
	said     bool // that these are notes
}

func (s *slide) start(name string, attrs []xml.Attr) {
	switch {
	case s.skip > 0 || name == "Fallback":
		s.skip++
		return
	}
	switch name {
	case "sp", "graphicFrame":
		s.shape, s.bulleted = "", false
	case "ph":
		if s.shape = attr(attrs, "type"); s.shape == "" {
			s.shape = "body"
		}
		s.bulleted = s.shape == "body" && !s.notes
	case "tbl":
		s.openTable()
	case "tc":
		s.openCell()
	case "p":
		s.b.Reset()
		s.depth, s.none, s.number, s.bullet = 0, false, false, false
	case "pPr":
		s.depth, _ = strconv.Atoi(attr(attrs, "lvl"))
	case "buNone":
		s.none = true
	case "buChar":
		s.bullet = true
	case "buAutoNum":
		s.number = true
	case "t":
		s.inText = true
	case "br":
		s.b.WriteByte('\n')
	}
}

func (s *slide) end(name string) {
	if s.skip > 0 {
		s.skip--
		return
	}
	switch name {
	case "t":
		s.inText = false
	case "p":
		s.closeParagraph()
	case "sp":
		s.endTitle()
		s.plain()
	case "tc":
		s.closeCell()
	case "tr":
		s.closeRow()
	case "tbl":
		s.closeTable()
	}
}

func (s *slide) text(b []byte) {
	if s.inText && s.skip == 0 && s.b.Len() < maxParagraph {
		s.b.Write(b)
	}
}

func (s *slide) closeParagraph() {
	text := s.b.String()
	s.b.Reset()
	if strings.TrimSpace(text) == "" {
		return
	}
	switch s.shape {
	case "title", "ctrTitle":
		if !s.notes {
			s.title = append(s.title, text)
		}
		return
	case "sldNum", "dt", "ftr", "hdr", "sldImg":
		return
	}
	if s.notes && !s.said {
		s.said = true
		text = "Notes: " + text
	}
	switch {
	case s.number || s.bullet || s.bulleted && !s.none:
		s.item(s.depth, s.number, text)
	default:
		s.flow.paragraph(text)
	}
}

// endTitle writes the slide's title, whose lines are one heading.
func (s *slide) endTitle() {
	if len(s.title) > 0 {
		s.heading(1, strings.Join(s.title, " "))
	}
	s.title = nil
}

func (s *slide) finish() {
	s.endTitle()
	s.plain()
	s.w.Block()
}
