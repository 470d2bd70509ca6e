package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// maxRecord bounds one record, in bytes: a question with all its paragraphs
// has some tens of thousands.
const maxRecord = 16 << 20

// records reads a file of JSON lines, or one JSON array, record by record,
// within bounded memory. Compressed files are read too.
type records struct {
	path string
	data json.RawMessage // of the current record
	line int             // where it begins (in an array: ends)

	file  *os.File
	in    *bufio.Reader
	array *json.Decoder // nil where there is a record a line
	count *lineCounter
}

// openRecords opens path. The caller closes it.
func openRecords(path string) (*records, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &records{path: path, file: f, in: bufio.NewReaderSize(f, 256<<10)}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// begin looks through compression, a byte order mark and empty lines at
// whether there is an array.
func (r *records) begin() error {
	if magic, _ := r.in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(r.in)
		if err != nil {
			return fmt.Errorf("%s: not readable as gzip: %w", r.path, err)
		}
		r.in = bufio.NewReaderSize(z, 256<<10)
	}
	if mark, _ := r.in.Peek(3); string(mark) == "\uFEFF" {
		_, _ = r.in.Discard(3)
	}
	for {
		c, err := r.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", r.path, err)
		case c == '\n':
			r.line++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			continue
		}
		if err := r.in.UnreadByte(); err != nil {
			return err
		}
		if c == '[' {
			r.count = &lineCounter{from: r.in, line: r.line + 1, left: maxRecord}
			r.array = json.NewDecoder(r.count)
			_, err = r.array.Token()
			return r.wrong(err)
		}
		return nil
	}
}

func (r *records) close() error { return r.file.Close() }

// next reads the next record into data; the end is io.EOF.
func (r *records) next() error {
	if r.array == nil {
		return r.nextLine()
	}
	r.count.left = maxRecord
	if r.array.More() {
		r.data = nil
		err := r.array.Decode(&r.data)
		r.line = r.count.at(r.array.InputOffset())
		return r.wrong(breaksOff(err))
	}
	_, err := r.array.Token()
	r.line = r.count.at(r.array.InputOffset())
	if err != nil {
		return r.wrong(breaksOff(err))
	}
	if _, err = r.array.Token(); !errors.Is(err, io.EOF) {
		return r.wrong(errors.New("there is more behind the list: give one list, or one record a line"))
	}
	return io.EOF
}

// breaksOff explains an end of file in the middle of the array.
func breaksOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the list breaks off: is the file whole?")
	}
	return err
}

func (r *records) nextLine() error {
	for {
		r.data = r.data[:0]
		r.line++
		for {
			part, err := r.in.ReadSlice('\n')
			if len(r.data)+len(part) > maxRecord {
				return r.wrong(errTooLong)
			}
			r.data = append(r.data, part...)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) && len(bytes.TrimSpace(r.data)) == 0 {
				return io.EOF
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return r.wrong(fmt.Errorf("the file breaks off: %w", err))
			}
			break
		}
		if r.data = bytes.TrimSpace(r.data); len(r.data) > 0 {
			return nil
		}
	}
}

// decode reads the current record into v.
func (r *records) decode(v any) error {
	if !utf8.Valid(r.data) {
		return r.wrong(errors.New("not valid UTF-8: convert the file, for example with iconv -t UTF-8"))
	}
	return r.wrong(json.Unmarshal(r.data, v))
}

// read reads the next record into v; more is false at the end of the file.
func (r *records) read(v any) (more bool, err error) {
	err = r.next()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err == nil {
		err = r.decode(v)
	}
	return true, err
}

// wrong puts the file and line before err.
func (r *records) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %w", r.path, max(1, r.line), err)
}

var errTooLong = fmt.Errorf("a record has more than %d bytes: split it", maxRecord)

// lineCounter tells the lines of a decoder's offsets, and bounds what it reads
// for one record.
type lineCounter struct {
	from io.Reader
	read int64   // bytes
	ends []int64 // offsets of the line ends read and not yet passed
	line int     // of the last offset asked for
	left int     // bytes until a record is too long
}

// Read reads what is left of a record, or fails with errTooLong.
func (c *lineCounter) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.from.Read(b[:min(len(b), c.left)])
	for i, ch := range b[:n] {
		if ch == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	c.left -= n
	return n, err
}

// at is the line at offset; offsets only grow.
func (c *lineCounter) at(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset {
		n++
	}
	c.line += n
	c.ends = append(c.ends[:0], c.ends[n:]...)
	return c.line
}
