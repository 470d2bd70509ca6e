package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"hopstream/messages"
)

// Record is one of several records that a question asks for (MuISQA), such as a
// drug with its molecule and its side effects. The first field that has a value
// says what the record is about. Several values are parted by semicolons; one
// that is not known is empty.
type Record []messages.Field

// UnmarshalJSON reads an object, whose fields keep their order. A value is a text,
// a number, null, or a list of these.
func (r *Record) UnmarshalJSON(b []byte) error {
	*r = nil
	in := json.NewDecoder(bytes.NewReader(b))
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		return errors.New(`a record is an object, such as {"drug":"x","dose":null}`)
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		var values many
		if err := in.Decode(&values); err != nil {
			return err
		}
		*r = append(*r, messages.Field{Name: name.(string), Value: strings.Join(values, "; ")})
	}
	return nil
}

// known reports whether a value of the record is.
func (r Record) known() bool {
	for _, f := range r {
		if f.Value != "" {
			return true
		}
	}
	return false
}
