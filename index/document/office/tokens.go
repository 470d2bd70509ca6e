package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/html/charset"
)

// maxToken is the most bytes of a token of XML.
const maxToken = 16 << 20

// handler is told the tokens of a part. Names are without prefix: programs
// choose those.
type handler interface {
	start(name string, attrs []xml.Attr)
	end(name string)
	text(b []byte)
}

// read hands the tokens of a part to h, as long as it is not done; a part that
// is missing has none. XML of these formats declares no entities, and the decoder
// expands none.
func (a *archive) read(name string, h handler, done func() error) error {
	part, err := a.part(name)
	if err != nil || part == nil {
		return err
	}
	defer part.Close()
	limit := &tokenLimit{from: part}
	d := xml.NewDecoder(limit)
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	for done == nil || done() == nil {
		limit.read = 0
		t, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			h.start(t.Name.Local, t.Attr)
		case xml.EndElement:
			h.end(t.Name.Local)
		case xml.CharData:
			h.text(t)
		}
	}
	return nil
}

// tokenLimit ends reading within a token that is too long.
type tokenLimit struct {
	from io.Reader
	read int
}

func (l *tokenLimit) Read(b []byte) (int, error) {
	if l.read > maxToken {
		return 0, errors.New("holds a token of more than 16 MB: this is no document")
	}
	n, err := l.from.Read(b)
	l.read += n
	return n, err
}

// attr returns an attribute by its name without prefix.
func attr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
