package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hopstream/index/document/draft"
)

// maxDepth is how deep values nest at most.
const maxDepth = 200

var errDeep = fmt.Errorf("values are nested more than %d deep: write the texts as lines of JSON, for example with jq", maxDepth)

// Value is a value of JSON. Its fields are in their order.
type Value struct {
	kind   byte     // '{', '[', '"' a string, 'n' a number, 'l' true, false or null
	scalar string   // as text; a number exactly as it is written
	names  []string // of the fields of an object
	kids   []Value
}

// Parse reads one value.
func Parse(raw []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return parse(d, 0)
}

func parse(d *json.Decoder, depth int) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := t.(type) {
	case json.Delim:
		return compound(d, byte(t), depth)
	case string:
		return Value{kind: '"', scalar: t}, nil
	case json.Number:
		return Value{kind: 'n', scalar: t.String()}, nil
	case bool:
		return Value{kind: 'l', scalar: strconv.FormatBool(t)}, nil
	}
	return Value{kind: 'l'}, nil
}

func compound(d *json.Decoder, kind byte, depth int) (Value, error) {
	v := Value{kind: kind}
	if depth >= maxDepth {
		return v, errDeep
	}
	for d.More() {
		if kind == '{' {
			name, err := d.Token()
			if err != nil {
				return v, err
			}
			s, ok := name.(string)
			if !ok {
				return v, errors.New("a field has no name")
			}
			v.names = append(v.names, s)
		}
		kid, err := parse(d, depth+1)
		if err != nil {
			return v, err
		}
		v.kids = append(v.kids, kid)
	}
	_, err := d.Token()
	return v, err
}

// Field returns the value at a path of names and numbers from 0, parted by
// points.
func (v Value) Field(path string) (Value, bool) {
	for path != "" {
		if v.kind == '{' { // a name may have points itself
			if kid, ok := v.named(path); ok {
				return kid, true
			}
		}
		var name string
		name, path, _ = strings.Cut(path, ".")
		switch v.kind {
		case '{':
			kid, ok := v.named(name)
			if !ok {
				return Value{}, false
			}
			v = kid
		case '[':
			n, err := strconv.Atoi(name)
			if err != nil || n < 0 || n >= len(v.kids) {
				return Value{}, false
			}
			v = v.kids[n]
		default:
			return Value{}, false
		}
	}
	return v, true
}

func (v Value) named(name string) (Value, bool) {
	for i, n := range v.names {
		if n == name {
			return v.kids[i], true
		}
	}
	return Value{}, false
}

// String is what a value says: a string itself, of others the lines that write
// writes.
func (v Value) String() string {
	switch {
	case v.kind == '[' && v.flat('"'):
		var all []string
		for _, k := range v.kids {
			all = append(all, k.scalar)
		}
		return strings.Join(all, "\n\n")
	case v.kind != '{' && v.kind != '[':
		return v.scalar
	}
	var out []string
	w := draft.New(0, func(p draft.Part) error { out = append(out, p.Text); return nil })
	v.write(w, "", 0)
	_, _ = w.Close()
	return strings.Join(out, "\n")
}

// flat reports whether a list holds nothing but values of one kind; 0 for any
// that hold no others.
func (v Value) flat(kind byte) bool {
	for _, k := range v.kids {
		if k.kind == '{' || k.kind == '[' || kind != 0 && k.kind != kind {
			return false
		}
	}
	return true
}

// write writes each value below v with its path.
func (v Value) write(w *draft.Writer, path string, line int) {
	switch v.kind {
	case '{':
		for i, k := range v.kids {
			k.write(w, join(path, v.names[i]), line)
		}
	case '[':
		if v.flat(0) {
			var all []string
			for _, k := range v.kids {
				all = append(all, k.scalar)
			}
			pair(w, path, strings.Join(all, ", "), line)
			return
		}
		for i, k := range v.kids {
			k.write(w, join(path, strconv.Itoa(i)), line)
		}
	default:
		pair(w, path, v.scalar, line)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
