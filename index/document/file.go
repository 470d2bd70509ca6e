package document

import (
	"errors"
	"fmt"
	"io"

	"hopstream/index/document/draft"
	"hopstream/index/document/records"
	"hopstream/messages"
)

// partSize is the most bytes of text in one message, but for its last line.
const partSize = draft.DefaultLimit

// file returns how files of a format are read whose every file is a document.
func file[F io.ReadSeeker](read func(*draft.Writer, F) error) func(*reading, source, *input) error {
	return func(r *reading, s source, in *input) error {
		from, err := in.again()
		if err != nil {
			return err
		}
		defer finish(from)
		return r.document(s, func(w *draft.Writer) error { return read(w, any(from).(F)) })
	}
}

// document hands on the document that read writes of a file.
func (r *reading) document(s source, read func(*draft.Writer) error) error {
	p := parts{id: s.id, chunk: r.chunk, emit: r.emit}
	w := draft.New(partSize, p.add)
	fault := read(w)
	var over draft.PassedOver
	switch {
	case fault == draft.Elsewhere:
		if _, err := w.Close(); err != nil {
			return err
		}
		return p.end()
	case errors.As(fault, &over) && w.Err() == nil:
		r.note(s.path, string(over))
		return nil
	}
	written, err := w.Close()
	if err == nil {
		err = p.end()
	}
	switch {
	case err != nil:
		return err
	case fault != nil && written:
		return fmt.Errorf("is read in part: %w", fault)
	case fault != nil:
		return fault
	case !written && w.Known() != "":
		r.note(s.path, "holds a title and no text")
	case !written:
		r.note(s.path, Empty)
	}
	return nil
}

// parts hands on the parts of a document. Only one that has several is known
// by parts, so the first waits for the second.
type parts struct {
	id    string
	chunk ChunkOptions
	emit  func(messages.Document) error

	waiting *messages.Document
	first   int // number of the next passage
	several bool
}

// add takes the next part.
func (p *parts) add(part draft.Part) error {
	d := messages.Document{ID: p.id, Title: part.Title, Text: part.Text, Date: part.Date, Place: part.Place}
	if p.waiting == nil && !p.several {
		p.waiting = &d
		return nil
	}
	if w := p.waiting; w != nil {
		p.waiting, p.several = nil, true
		if err := p.number(*w); err != nil {
			return err
		}
	}
	return p.number(d)
}

// number names a part by the passages it has, and hands it on.
func (p *parts) number(d messages.Document) error {
	room := len(Chunk(d, p.chunk))
	if room == 0 {
		return nil
	}
	d.ID = PartID(p.id, p.first, room)
	p.first += room
	return p.emit(d)
}

// end hands on the only part.
func (p *parts) end() error {
	if p.waiting == nil {
		return nil
	}
	return p.emit(*p.waiting)
}

// json reads a file of JSON: each record a document, and one of all else.
func (r *reading) json(s source, in *input) error {
	from, err := in.again()
	if err != nil {
		return err
	}
	defer finish(from)
	return r.document(s, func(w *draft.Writer) error {
		return records.JSON(w, from, r.fields, func(record records.Record, n, line int) error {
			err := r.record(s, record, n)
			var end stop
			if err == nil || errors.As(err, &end) {
				return err
			}
			r.report(s.path, line, err)
			return nil
		})
	})
}

// record hands on record n of a file. One without ID is named by the file and
// its number.
func (r *reading) record(s source, record records.Record, n int) error {
	r.at = n
	id := record.ID
	if id == "" {
		id = fmt.Sprintf("%s/%d", s.id, n)
	}
	p := parts{id: id, chunk: r.chunk, emit: r.emit}
	w := draft.New(partSize, p.add)
	w.Title(record.Title)
	w.Date(record.Date)
	w.Raw(record.Text, 0, 0)
	written, err := w.Close()
	switch {
	case err != nil:
		return err
	case !written && record.Title == "":
		return fmt.Errorf("record %.80q holds no text", id)
	case !written:
		return r.emit(messages.Document{ID: id, Title: record.Title, Date: record.Date})
	}
	return p.end()
}
