package records

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"hopstream/index/document/draft"
)

// JSON reads a file of JSON. The objects of a list are records; so are those of
// a list within an object, if they look like documents. Each record is handed to
// emit with the line that it ends in and its number, from 1. All else is written
// to w, each value in a line with its path.
func JSON(w *draft.Writer, from io.ReadSeeker, fields Fields, emit func(r Record, n, line int) error) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	mark := make([]byte, 3)
	if n, _ := io.ReadFull(from, mark); string(mark[:n]) != "\uFEFF" {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	j := jsonFile{stream: newStream(from), w: w, fields: fields, emit: emit}
	if err := j.any("", 0); err != nil {
		if err == io.EOF {
			return errors.New("holds no text")
		}
		var stop emitted
		if errors.As(err, &stop) {
			return stop.error
		}
		return j.explain(err)
	}
	if _, err := j.token(); err != io.EOF {
		return errors.New("holds more than one value: call the file .jsonl if it has a value per line")
	}
	if j.n > 0 {
		return draft.Elsewhere
	}
	return nil
}

// emitted marks the errors of emit.
type emitted struct{ error }

// jsonFile is a file being read.
type jsonFile struct {
	*stream
	w      *draft.Writer
	fields Fields
	emit   func(r Record, n, line int) error
	n      int
}

// any reads the next value.
func (j *jsonFile) any(path string, depth int) error {
	if err := j.w.Err(); err != nil {
		return emitted{err}
	}
	if depth > maxDepth {
		return errDeep
	}
	t, err := j.token()
	if err != nil {
		return err
	}
	switch t {
	case json.Delim('{'):
		return j.object(path, depth)
	case json.Delim('['):
		return j.list(path, depth)
	}
	scalar(t).write(j.w, path, j.at())
	return nil
}

// object reads the fields of an object; those of the file's own are its title,
// text and date, as far as they are called so.
func (j *jsonFile) object(path string, depth int) error {
	for j.more() {
		t, err := j.token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		if depth == 0 && (j.is("title", name) || j.is("date", name) || j.is("text", name)) {
			if err := j.own(name); err != nil {
				return err
			}
			continue
		}
		if err := j.any(join(path, name), depth+1); err != nil {
			return err
		}
	}
	_, err := j.token()
	return err
}

// is reports whether a field of the file's object is what is asked for.
func (j *jsonFile) is(what, name string) bool {
	if paths := j.fields[what]; len(paths) > 0 {
		return slices.Contains(paths, name)
	}
	return slices.Contains(guesses[what], name)
}

// own reads a field that says something about the file's document.
func (j *jsonFile) own(name string) error {
	if !j.more() {
		return io.ErrUnexpectedEOF
	}
	v, err := j.value()
	if err != nil {
		return err
	}
	switch {
	case v.kind != '"':
		v.write(j.w, name, j.at())
	case j.is("title", name) && j.w.Known() == "":
		j.w.Title(v.scalar)
	case j.is("date", name) && draft.Date(v.scalar) != "":
		j.w.Date(v.scalar)
	case j.is("text", name):
		j.w.Block()
		j.w.Raw(v.scalar, j.at(), 0)
		j.w.Block()
	default:
		v.write(j.w, name, j.at())
	}
	return nil
}

// list reads a list: records, or values of the file.
func (j *jsonFile) list(path string, depth int) error {
	var flat []string
	for n := 0; j.more(); n++ {
		v, err := j.value()
		if err != nil {
			return err
		}
		line := j.at()
		switch {
		case v.kind == '{' && (depth == 0 || isRecord(v, j.fields)):
			j.n++
			if err := j.emit(RecordOf(v, j.fields), j.n, line); err != nil {
				return emitted{err}
			}
		case v.kind == '{' || v.kind == '[':
			j.w.Block()
			v.write(j.w, path, line)
			j.w.Block()
		default:
			if flat = append(flat, v.scalar); len(flat) >= 100 {
				pair(j.w, path, strings.Join(flat, ", "), line)
				flat = flat[:0]
			}
		}
		if err := j.w.Err(); err != nil {
			return emitted{err}
		}
	}
	pair(j.w, path, strings.Join(flat, ", "), j.at())
	_, err := j.token()
	return err
}

func scalar(t json.Token) Value {
	switch t := t.(type) {
	case string:
		return Value{kind: '"', scalar: t}
	case json.Number:
		return Value{kind: 'n', scalar: t.String()}
	case bool:
		if t {
			return Value{kind: 'l', scalar: "true"}
		}
		return Value{kind: 'l', scalar: "false"}
	}
	return Value{kind: 'l'}
}
