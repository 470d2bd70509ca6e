package bulk

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"hopstream/messages"
	"hopstream/stages/client"
)

// doneBefore are the questions that an earlier run wrote a line for.
type doneBefore struct {
	ids   map[string]string // texts by ID
	texts map[string]int    // lines by text, of questions that came without an ID
}

// has reports whether the output has a line for q. It fails if the line with
// q's ID is another question's.
func (d *doneBefore) has(q *messages.Question) (bool, error) {
	if d == nil {
		return false, nil
	}
	if q.ID != "" {
		text, ok := d.ids[q.ID]
		if ok && text != q.Question {
			return false, fmt.Errorf("question %s: %w (%.60q) in the output: choose a new ID", q.ID, client.ErrClash, text)
		}
		return ok, nil
	}
	if d.texts[q.Question] > 0 {
		d.texts[q.Question]--
		return true, nil
	}
	return false, nil
}

// refused reports whether the output has a line with this ID, whatever its
// question.
func (d *doneBefore) refused(id string) bool {
	if d == nil {
		return false
	}
	_, ok := d.ids[id]
	return ok
}

// ours reports whether an ID was given by this program to a question that came
// without one: client.NewID makes 22 letters and digits.
func ours(id string) bool {
	if len(id) != len(client.NewID()) {
		return false
	}
	return strings.IndexFunc(id, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
}

// readDone reads the answers so far and leaves f behind the last whole line:
// a line that was cut off by a crash is dropped.
func readDone(f *os.File) (*doneBefore, error) {
	d := &doneBefore{ids: map[string]string{}, texts: map[string]int{}}
	r := bufio.NewReaderSize(f, 256<<10)
	var end int64
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if err != nil { // the rest is no whole line
			if terr := f.Truncate(end); terr != nil {
				return nil, terr
			}
			_, err = f.Seek(end, io.SeekStart)
			return d, err
		}
		end += int64(len(line))
		var a struct {
			ID       string `json:"id"`
			Question string `json:"question"`
		}
		if json.Unmarshal(line, &a) != nil || a.ID == "" {
			return nil, errors.New("it holds lines that are no answers: name another file")
		}
		d.ids[a.ID] = a.Question
		if ours(a.ID) {
			d.texts[a.Question]++
		}
	}
}
