package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// UnmarshalJSON reads an entity's names: a list, or the one name.
func (e *Entity) UnmarshalJSON(b []byte) error { return (*many)(e).UnmarshalJSON(b) }

// text is a string, or a number or truth value as written; null is empty.
type text string

// UnmarshalJSON fails on lists and objects.
func (t *text) UnmarshalJSON(b []byte) error {
	switch b = bytes.TrimSpace(b); {
	case string(b) == "null":
		*t = ""
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '[' || b[0] == '{':
		return fmt.Errorf("%.40s is no text", b)
	default:
		*t = text(b)
	}
	return nil
}

// many is a list of texts, or the one text.
type many []string

// UnmarshalJSON fails on lists within the list.
func (m *many) UnmarshalJSON(b []byte) error {
	*m = nil
	one := []text{""}
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		err = json.Unmarshal(b, &one)
	} else {
		err = json.Unmarshal(b, &one[0])
	}
	for _, t := range one {
		if t != "" {
			*m = append(*m, string(t))
		}
	}
	return err
}

// answers are many, and whether they are a list of none.
type answers struct {
	many
	none bool
}

// UnmarshalJSON fails as that of many does.
func (a *answers) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	a.none = json.Unmarshal(b, &list) == nil && list != nil && len(list) == 0
	return a.many.UnmarshalJSON(b)
}

// scalar is like text, but empty instead of an error for lists and objects.
type scalar string

// UnmarshalJSON never fails.
func (s *scalar) UnmarshalJSON(b []byte) error {
	var t text
	if t.UnmarshalJSON(b) != nil {
		t = ""
	}
	*s = scalar(t)
	return nil
}
