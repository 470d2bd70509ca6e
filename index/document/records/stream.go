package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxValue is the most bytes of a single value.
const maxValue = 16 << 20

// errLong says that a value is longer than maxValue.
var errLong = errors.New("value is too long")

// stream is a file of JSON. No more of it is held than a value.
type stream struct {
	*json.Decoder
	from *lineCounter
}

func newStream(from io.Reader) *stream {
	c := &lineCounter{from: from, line: 1}
	d := json.NewDecoder(c)
	d.UseNumber()
	return &stream{d, c}
}

// at returns the line that is being read.
func (s *stream) at() int { return s.from.lineAt(s.InputOffset()) }

// token reads a token.
func (s *stream) token() (json.Token, error) {
	s.from.since = 0
	return s.Token()
}

// value reads a value.
func (s *stream) value() (Value, error) {
	s.from.since = 0
	var raw json.RawMessage
	if err := s.Decode(&raw); err != nil {
		return Value{}, err
	}
	return Parse(raw)
}

// more reports whether the list or object goes on.
func (s *stream) more() bool {
	s.from.since = 0
	return s.More()
}

// explain says what is wrong with the file.
func (s *stream) explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil || err == errDeep:
		return err
	case errors.Is(err, errLong):
		return fmt.Errorf("holds a value of more than %d MB from line %d on: split it, or write it as lines of JSON", maxValue>>20, s.at())
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return errors.New("breaks off: this is not all of the JSON")
	case errors.As(err, &syntax):
		return fmt.Errorf("not readable as JSON: %w, in line %d", err, s.at())
	}
	return fmt.Errorf("not readable as JSON from line %d on: %w", s.at(), err)
}

// lineCounter knows the lines of what was read, and reads no more than a value.
type lineCounter struct {
	from  io.Reader
	since int   // bytes since the value began
	read  int64 // bytes
	ends  []int64
	line  int // before the first of ends
}

func (c *lineCounter) Read(b []byte) (int, error) {
	if c.since > maxValue {
		return 0, errLong
	}
	n, err := c.from.Read(b)
	for i := 0; i < n; {
		at := bytes.IndexByte(b[i:n], '\n')
		if at < 0 {
			break
		}
		i += at + 1
		c.ends = append(c.ends, c.read+int64(i))
	}
	c.read += int64(n)
	c.since += n
	return n, err
}

// lineAt returns the line of an offset; offsets are asked in order.
func (c *lineCounter) lineAt(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] <= offset {
		n++
	}
	c.line += n
	c.ends = c.ends[n:]
	return c.line
}
