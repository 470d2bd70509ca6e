package draft

import (
	"bufio"
	"io"
	"strings"
)

// longestLine is the most bytes that a Scanner returns as one line.
const longestLine = 64 << 10

// Scanner reads the lines of a text, however long the text or a line is: a
// line of more than 64 kB comes in pieces of one number. It ends at the end of
// the text, and with the first error.
type Scanner struct {
	from *bufio.Reader
	rest []byte // of a long line
	err  error

	ahead []scanned // read, and not yet returned
	line  scanned
	next  int // number of the next line
}

type scanned struct {
	text   string
	number int
}

// NewScanner returns a Scanner. A mark of byte order is passed over.
func NewScanner(from io.Reader) *Scanner {
	s := &Scanner{from: bufio.NewReaderSize(from, bufferSize(from)), next: 1}
	if mark, err := s.from.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = s.from.Discard(3)
	}
	return s
}

// Scan goes to the next line.
func (s *Scanner) Scan() bool {
	if len(s.ahead) > 0 {
		s.line = s.ahead[0]
		s.ahead = s.ahead[1:]
		return true
	}
	var ok bool
	s.line, ok = s.read()
	return ok
}

// Text is the line, without its end and what is blank before it.
func (s *Scanner) Text() string { return s.line.text }

// Number is the number of the line, from 1.
func (s *Scanner) Number() int { return s.line.number }

// Peek returns the line n lines further on, from 1; "" behind the end.
func (s *Scanner) Peek(n int) string {
	for len(s.ahead) < n {
		line, ok := s.read()
		if !ok {
			return ""
		}
		s.ahead = append(s.ahead, line)
	}
	return s.ahead[n-1].text
}

// More reports whether a line follows.
func (s *Scanner) More() bool {
	s.Peek(1)
	return len(s.ahead) > 0
}

// Replace changes the line that follows.
func (s *Scanner) Replace(text string) {
	if s.More() {
		s.ahead[0].text = text
	}
}

// Skip passes over n lines.
func (s *Scanner) Skip(n int) {
	for range n {
		s.Scan()
	}
}

// Err returns the error that ended the text early.
func (s *Scanner) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

func (s *Scanner) read() (scanned, bool) {
	if s.err != nil && len(s.rest) == 0 {
		return scanned{}, false
	}
	var b []byte
	var err error
	if s.err == nil {
		b, err = s.from.ReadSlice('\n')
	}
	long := err == bufio.ErrBufferFull
	if err != nil && !long {
		s.err = err
	}
	if len(s.rest) > 0 || long {
		b = append(s.rest, b...)
		s.rest = nil
	}
	number := s.next
	switch {
	case len(b) == 0:
		return scanned{}, false
	case long || len(b) > longestLine:
		// Cut behind a word, so that none is torn.
		n := cutAt(string(b), min(longestLine, len(b)-1))
		s.rest = append([]byte(nil), b[n:]...)
		b = b[:n]
	default:
		s.next++
	}
	return scanned{strings.TrimRight(string(b), " \t\r\n\v"), number}, true
}

// Set changes the line that was read last.
func (s *Scanner) Set(text string) { s.line.text = text }

// Drop passes over the line that follows, without reading it.
func (s *Scanner) Drop() {
	if s.More() {
		s.ahead = s.ahead[1:]
	}
}

// bufferSize is how much is read at a time: no more than there is.
func bufferSize(from io.Reader) int {
	if b, ok := from.(interface{ Len() int }); ok {
		return min(max(b.Len()+1, 16), longestLine)
	}
	return longestLine
}
