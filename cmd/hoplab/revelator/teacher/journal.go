package teacher

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"hopstream/prompts"
)

// Journal keeps replies in a file, one line each. A reply is in the file when put
// has returned, so that a run which ends early loses none. A nil Journal keeps
// nothing. It is safe for concurrent use.
type Journal struct {
	mu      sync.Mutex // guards the below
	f       *os.File
	replies map[string]json.RawMessage
}

// line is a reply in the file. Its value is null where the model gave none.
type line struct {
	Key   string          `json:"hopstream_reply"` // of model and prompt
	Value json.RawMessage `json:"value"`
}

// maxLine bounds a line, in bytes.
const maxLine = 1 << 20

// OpenJournal opens the file at path to go on with, or starts it. A last line that
// was cut off is dropped. It fails if the file is no journal.
func OpenJournal(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f, replies: map[string]json.RawMessage{}}
	end, err := j.read()
	if err == nil {
		err = f.Truncate(end)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return j, nil
}

// read takes the replies in and returns where the last whole line ends.
func (j *Journal) read() (end int64, err error) {
	in := bufio.NewReader(j.f)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if n == 1 && len(text) > 0 && !bytes.HasPrefix(text, []byte(`{"hopstream_reply"`)) {
				return 0, errNoJournal
			}
			return end, nil
		}
		if err != nil {
			return 0, err
		}
		var l line
		if len(text) > maxLine || json.Unmarshal(text, &l) != nil || l.Key == "" {
			return 0, fmt.Errorf("line %d: %w", n, errNoJournal)
		}
		end += int64(len(text))
		j.replies[l.Key] = l.Value
	}
}

var errNoJournal = errors.New("holds no replies of a model: move it away")

// get returns the value kept under key.
func (j *Journal) get(key string) (json.RawMessage, bool) {
	if j == nil {
		return nil, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	v, ok := j.replies[key]
	return v, ok
}

// put keeps value under key.
func (j *Journal) put(key string, value any) error {
	if j == nil {
		return nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	text, err := json.Marshal(line{key, raw})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.replies[key] = raw
	_, err = j.f.Write(append(text, '\n'))
	return err
}

// Close ends the file.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.f.Close()
}

// keyOf is the key of what a model replies to a prompt.
func keyOf(name string, p prompts.Prompt) string {
	h := sha256.New()
	for _, s := range []string{name, p.System, p.User} {
		fmt.Fprintf(h, "%d\x00%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
