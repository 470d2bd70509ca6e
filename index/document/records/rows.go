package records

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// maxField is the most bytes of a field: a quote that is not closed ends
	// there.
	maxField = 1 << 20
	// maxRow is the most bytes of a row, and maxColumns its most fields.
	maxRow     = 4 << 20
	maxColumns = 10_000
)

// rows reads the rows of a file, as RFC 4180 has them and as people write them:
// quotes within a field that does not begin with one stay as they are.
type rows struct {
	from  *bufio.Reader
	comma byte
	line  int // that is read
	buf   []byte
	size  int
}

// next returns the next row and the line it begins in. It returns io.EOF behind
// the last one.
func (r *rows) next() (fields []string, line int, err error) {
	line, r.size = r.line, 0
	for {
		more, err := r.field()
		if err == io.EOF && len(fields) == 0 && len(r.buf) == 0 {
			return nil, 0, io.EOF
		}
		if err != nil && err != io.EOF {
			return nil, line, err
		}
		fields = append(fields, string(r.buf))
		r.size += len(r.buf)
		switch {
		case !more:
			return fields, line, nil
		case len(fields) >= maxColumns || r.size > maxRow:
			return nil, line, fmt.Errorf("the row of line %d has more than %d fields or %d MB: is this a table?", line, maxColumns, maxRow>>20)
		}
	}
}

// field reads a field into buf, and reports whether the row goes on behind it.
//
//revive:disable-next-line:cyclomatic one case per character that means something
func (r *rows) field() (more bool, err error) {
	r.buf = r.buf[:0]
	quoted, blank, first := false, true, r.line
	for {
		c, err := r.from.ReadByte()
		if err != nil {
			if err == io.EOF && quoted {
				return false, fmt.Errorf("the quote that opens in line %d is not closed: close it, or double it", first)
			}
			return false, err
		}
		if c == '\n' {
			r.line++
		}
		switch {
		case c == '"' && quoted:
			next, err := r.from.Peek(1)
			if err == nil && next[0] == '"' {
				_, _ = r.from.Discard(1)
				r.buf = append(r.buf, '"')
				continue
			}
			quoted = false
		case quoted:
			r.buf = append(r.buf, c)
		case c == '"' && blank:
			quoted, blank, first = true, false, r.line
			r.buf = r.buf[:0]
		case c == r.comma:
			return true, nil
		case c == '\n':
			return false, nil
		default:
			blank = blank && c == ' '
			r.buf = append(r.buf, c)
		}
		if len(r.buf) > maxField {
			if quoted {
				return false, fmt.Errorf("the quote that opens in line %d is not closed within %d MB: close it, or double it", first, maxField>>20)
			}
			return false, errors.New("a field has more than 1 MB: is this a table?")
		}
	}
}

// comma returns what parts the fields of a file that begins so: what there is
// most of in each of its lines.
func comma(head string) byte {
	lines := strings.Split(head, "\n")
	if len(lines) > 1 {
		lines = lines[:min(len(lines)-1, 20)] // the last one may be cut
	}
	best, most := byte(','), 0
	for _, c := range []byte{',', ';', '\t', '|'} {
		total, fit := 0, true
		first := -1
		for _, line := range lines {
			if strings.TrimSpace(line) == "" {
				continue
			}
			n := unquoted(line, c)
			if first < 0 {
				first = n
			}
			fit = fit && n == first
			total += n
		}
		if fit {
			total *= 4
		}
		if total > most {
			best, most = c, total
		}
	}
	return best
}

// unquoted counts c in a line outside of quotes.
func unquoted(line string, c byte) int {
	n, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == c && !quoted:
			n++
		}
	}
	return n
}
