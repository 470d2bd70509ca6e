package bulk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"hopstream/messages"
)

// maxLine bounds a line, in bytes. It is far above messages.MaxQuestion, since
// a line of a data set holds much besides the question.
const maxLine = 1 << 20

var errLongLine = fmt.Errorf("longer than %d bytes: a question has at most %d; put long material into documents", maxLine, messages.MaxQuestion)

// Lines reads text line by line within bounded memory: what is beyond maxLine
// is read over, and reported.
type Lines struct {
	r *bufio.Reader
	n int
}

// NewLines reads lines from r.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 64<<10)} }

// Next returns the next line without its end, and its number from 1. A line
// that is too long comes back as errLongLine, with reading going on behind it;
// the end is io.EOF.
func (l *Lines) Next() ([]byte, int, error) {
	var line []byte
	long, any := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		any = any || len(part) > 0
		if !long && len(line)+len(part) > maxLine {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && any:
			l.n++
			if long {
				return nil, l.n, errLongLine
			}
			return bytes.TrimRight(line, "\r\n"), l.n, nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, l.n, err
		}
	}
}

// questionFields are the fields of a question; other fields of a line are
// ignored.
var questionFields = map[string]bool{"v": true, "kind": true, "id": true, "question": true, "deadline": true, "budget": true, "class": true, "strategy": true, "priority": true, "tenant": true}

// ParseQuestion reads one line and names the fields it does not know.
func ParseQuestion(line []byte) (q *messages.Question, unknown []string, err error) {
	if !utf8.Valid(line) {
		return nil, nil, errors.New("not valid UTF-8: convert the file")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, nil, fmt.Errorf(`not a JSON object such as {"id":"q1","question":"Who …?"}: %w`, err)
	}
	for name := range fields {
		if !questionFields[name] {
			unknown = append(unknown, name)
		}
	}
	q = new(messages.Question)
	if err := json.Unmarshal(line, q); err != nil {
		return nil, unknown, err
	}
	return q, unknown, nil
}
