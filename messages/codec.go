package messages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// New returns an empty message of kind k, or an error naming an unknown kind.
func New(k Kind) (Message, error) {
	switch k {
	case KindQuestion:
		return new(Question), nil
	case KindDecompose:
		return new(Decompose), nil
	case KindPlan:
		return new(Plan), nil
	case KindRetrieve:
		return new(Retrieve), nil
	case KindFilter:
		return new(Filter), nil
	case KindAlign:
		return new(Align), nil
	case KindGenerate:
		return new(Generate), nil
	case KindSubanswer:
		return new(Subanswer), nil
	case KindJudge:
		return new(Judge), nil
	case KindAnswer:
		return new(Answer), nil
	case KindDead:
		return new(Dead), nil
	case KindDocument:
		return new(Document), nil
	}
	return nil, fmt.Errorf("unknown message kind %q", k)
}

// Encode stamps m with its version and kind and returns its JSON.
func Encode(m Message) ([]byte, error) {
	m.stamp(Version, m.Kind())
	if b, ok := fastEncode(m); ok {
		return b, nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.Kind(), err)
	}
	return b, nil
}

// ErrNewer says that a message has a version which this build does not read
// yet; a newer one will.
var ErrNewer = errors.New("newer than this build reads")

// Decode reads a message of kind k. It fails, saying what is wrong, on
// anything but valid UTF-8 JSON of that kind in a version this build reads;
// with ErrNewer where only the version is the trouble.
// Unknown fields are passed over, so that a newer writer stays readable.
func Decode(k Kind, data []byte) (Message, error) {
	m, err := New(k)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("decode %s: not valid UTF-8 at byte %d", k, invalidAt(data))
	}
	if !fastDecode(m, data) {
		m, _ = New(k)
		err := slowDecode(m, data)
		if v, _ := m.stamped(); v > Version { // whose fields may be others
			err = check(m)
		}
		if err != nil {
			return nil, fmt.Errorf("decode %s: %w", k, err)
		}
	}
	if err := check(m); err != nil {
		return nil, fmt.Errorf("decode %s: %w", k, err)
	}
	return m, nil
}

func slowDecode(m Message, data []byte) error {
	err := json.Unmarshal(data, m)
	if err != nil && len(bytes.TrimSpace(data)) == 0 {
		return errors.New("empty")
	}
	return err
}

func check(m Message) error {
	v, kind := m.stamped()
	if v > Version {
		return fmt.Errorf("version %d is %w (%d): upgrade the workers", v, ErrNewer, Version)
	}
	if kind != "" && kind != m.Kind() {
		return fmt.Errorf("kind is %q", kind)
	}
	return m.Validate()
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}
