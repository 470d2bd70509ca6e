package messages

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-json"
)

// Encode stamps m with its version and kind and returns its JSON, byte for
// byte as encoding/json writes it. It fails on a number that JSON cannot say
// (NaN, an infinity) and on a time outside the years 0 to 9999.
func Encode(m Message) ([]byte, error) {
	m.stamp(Version, m.Kind())
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.Kind(), err)
	}
	return b, nil
}

// ErrNewer says that a message has a version which this build does not read
// yet; a newer one will.
var ErrNewer = errors.New("newer than this build reads")

// Decode reads a message of kind k. It fails, saying what is wrong, on an
// unknown kind and on anything but valid UTF-8 JSON of that kind in a version
// this build reads; with ErrNewer where only the version is the trouble.
//
// As with encoding/json, names match in any case, the last of equal names
// counts, and unknown fields are passed over, so that a newer writer stays
// readable. The strings of the message share one copy of data, which is kept
// as long as any of them is; data itself may be changed afterwards.
func Decode(k Kind, data []byte) (Message, error) {
	m, err := New(k)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("decode %s: not valid UTF-8 at byte %d", k, invalidAt(data))
	}
	err = unmarshal(data, m)
	if v, _ := m.stamped(); err == nil || v > Version { // a newer one's fields may have other forms
		err = check(m)
	}
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", k, err)
	}
	return m, nil
}

func unmarshal(data []byte, m Message) error {
	err := json.UnmarshalWithOption(bytes.Clone(data), m, json.DecodeNoCopyString())
	if err != nil && len(bytes.TrimSpace(data)) == 0 {
		return errors.New("empty")
	}
	return err
}

// check says what is wrong with a message that was read.
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

// invalidAt returns where the first byte stands that is not valid UTF-8.
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
