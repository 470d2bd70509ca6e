package office

import (
	"encoding/xml"
	"strings"

	"hopstream/index/document/draft"
)

// meta is what the properties of a document say.
type meta struct {
	title, created, changed string
	at                      string
	b                       strings.Builder
}

func (m *meta) start(name string, _ []xml.Attr) { m.at = name; m.b.Reset() }

func (m *meta) text(b []byte) {
	if m.at != "" && m.b.Len() < 1000 {
		m.b.Write(b)
	}
}

func (m *meta) end(name string) {
	if name != m.at {
		return
	}
	switch v := strings.TrimSpace(m.b.String()); name {
	case "title":
		m.title = v
	case "created", "creation-date":
		m.created = v
	case "modified", "date":
		m.changed = v
	}
	m.at = ""
}

// properties reads title and date of a document.
func (a *archive) properties(part string, w *draft.Writer) error {
	var m meta
	err := a.read(part, &m, nil)
	w.Title(m.title)
	w.Date(m.changed)
	w.Date(m.created)
	return err
}
