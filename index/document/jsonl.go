package document

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"hopstream/index/document/records"
	"hopstream/messages"
)

// maxLine is the longest line of JSONL. Text may be longer in JSON than it
// is (up to six times, where other than ASCII is escaped); this is room for
// twice.
const maxLine = 2*MaxDocument + 4096

// jsonl reads one document per line. What is wrong with a line is reported
// with its number, and reading goes on with the next.
func (r *reading) jsonl(s source, in *input) error {
	from := io.Reader(in)
	if strings.HasSuffix(strings.ToLower(s.path), ".gz") {
		z, err := gzip.NewReader(from)
		if err != nil {
			return fmt.Errorf("not readable as gzip: %w", err)
		}
		defer z.Close()
		from = z
	}
	lines := lineReader{from: bufio.NewReaderSize(from, 64<<10)}
	for {
		line, err := lines.next()
		r.at = lines.number
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLong):
			r.report(s.path, lines.number, fmt.Errorf("line has more than %d bytes: split the document into several", maxLine))
			continue
		case err != nil:
			r.report(s.path, lines.number, fmt.Errorf("the file breaks off: %w", err))
			return nil
		}
		if lines.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		err = r.line(s, line, lines.number)
		var end stop
		if errors.As(err, &end) {
			return err
		}
		if err != nil {
			r.report(s.path, lines.number, err)
		}
	}
}

// line reads a line: a document, or a record of any other shape.
func (r *reading) line(s source, line []byte, number int) error {
	if v, ok := r.shaped(line); ok {
		record := records.RecordOf(v, r.fields)
		if record.ID == "" && s.id == "" {
			return errNoID
		}
		return r.record(s, record, number)
	}
	d, err := parseLine(line)
	switch {
	case errors.Is(err, errNoID) && s.id != "" && d.Text != "":
		d.ID = fmt.Sprintf("%s/%d", s.id, number)
	case err != nil:
		return err
	}
	return r.emit(d)
}

// shaped returns the value of a line that has another shape than {"id", "title",
// "text", "deleted"}: its fields are mapped, or it has others and no text.
func (r *reading) shaped(line []byte) (records.Value, bool) {
	if len(r.fields) == 0 {
		var names map[string]json.RawMessage
		if json.Unmarshal(line, &names) != nil || len(names["text"]) > 0 {
			return records.Value{}, false
		}
		for _, own := range []string{"id", "title", "deleted"} {
			delete(names, own)
		}
		if len(names) == 0 {
			return records.Value{}, false
		}
	}
	if !utf8.Valid(line) || !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return records.Value{}, false
	}
	v, err := records.Parse(line)
	if deleted, ok := v.Field("deleted"); ok && deleted.String() == "true" {
		return v, false
	}
	return v, err == nil
}

var errNoID = errors.New(`"id" is missing: give every document one, so that it can be replaced later`)

// parseLine reads {"id","title","text"}, or {"id","deleted":true}. What has no
// ID is returned with errNoID.
//
//revive:disable-next-line:cyclomatic one case per way to be wrong
func parseLine(line []byte) (messages.Document, error) {
	var none messages.Document
	if !utf8.Valid(line) {
		return none, errors.New("not valid UTF-8: convert the file, for example with iconv -t UTF-8")
	}
	var in struct {
		ID      json.RawMessage `json:"id"`
		Title   string          `json:"title"`
		Text    *string         `json:"text"`
		Deleted bool            `json:"deleted"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
			return none, errors.New(`not one document per line: a JSON array must be turned into lines, for example with jq -c '.[]'`)
		}
		return none, fmt.Errorf(`not a document: %w: each line must be {"id":"…","title":"…","text":"…"}`, err)
	}
	d := messages.Document{Title: in.Title, Deleted: in.Deleted}
	switch {
	case len(in.ID) == 0 || string(in.ID) == "null":
		if in.Text != nil && strings.TrimSpace(*in.Text) != "" {
			d.Text = *in.Text
		}
		return d, errNoID
	case in.ID[0] == '"':
		if err := json.Unmarshal(in.ID, &d.ID); err != nil {
			return none, fmt.Errorf(`"id": %w`, err)
		}
	case in.ID[0] == '-' || in.ID[0] >= '0' && in.ID[0] <= '9':
		d.ID = string(in.ID) // exactly as written
	default:
		return none, fmt.Errorf(`"id" is %.40s: give a string or a number`, in.ID)
	}
	switch {
	case d.Deleted:
		d.Title = ""
	case in.Text == nil:
		return none, fmt.Errorf(`document %.80q has no "text"`, d.ID)
	case strings.TrimSpace(*in.Text) == "" && strings.TrimSpace(d.Title) == "":
		return none, fmt.Errorf(`"text" of document %.80q is empty: leave the document out, or give {"id":…,"deleted":true} to remove it`, d.ID)
	default:
		d.Text = *in.Text
	}
	return d, nil
}

// errLong says that a line was too long, and was passed over.
var errLong = errors.New("line is too long")

// lineReader reads lines, in bounded memory however long they are.
type lineReader struct {
	from   *bufio.Reader
	number int
	buf    []byte
}

// next returns the next line without its end. It is valid until the next
// call.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	l.number++
	long := false
	for {
		part, err := l.from.ReadSlice('\n')
		if len(l.buf)+len(part) > maxLine {
			long = true
			l.buf = l.buf[:0]
		}
		if !long {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (long || len(l.buf) > 0), err == nil:
		default:
			return nil, err
		}
		if long {
			return nil, errLong
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}
