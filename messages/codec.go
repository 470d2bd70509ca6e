package messages

import (
	"bytes"
	"encoding/json"
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
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.Kind(), err)
	}
	return b, nil
}

// Decode reads a message of kind k. It fails, saying what is wrong, on
// anything but valid UTF-8 JSON of that kind in a version this build reads.
// Unknown fields are passed over, so that a newer writer stays readable.
func Decode(k Kind, data []byte) (Message, error) {
	m, err := New(k)
	if err != nil {
		return nil, err
	}
	if err := decodeInto(m, data); err != nil {
		return nil, fmt.Errorf("decode %s: %w", k, err)
	}
	return m, nil
}

func decodeInto(m Message, data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("not valid UTF-8 at byte %d", invalidAt(data))
	}
	if err := json.Unmarshal(data, m); err != nil {
		if len(bytes.TrimSpace(data)) == 0 {
			return fmt.Errorf("empty")
		}
		return err
	}
	v, kind := m.stamped()
	if v > Version {
		return fmt.Errorf("version %d is newer than this build reads (%d): upgrade the workers", v, Version)
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
