package sim

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
)

// shape is an object that a system text shows: the reply it asks for, and the
// parts of it that are objects themselves.
type shape struct {
	fields []field
	item   *shape // of a list, of which the system text has examples; else nil
}

// field is one of a shape's: a key, and the first byte of the value shown,
// or of a list's first element.
type field struct {
	key  string
	list bool
	kind byte
	of   *shape // of a list's elements, where they are objects
}

// shapeOf reads the form of a prompt's reply from its system text: the object
// that it ends with, and of the items in its examples the one with most fields.
func shapeOf(system string) shape {
	sh := shapeIn(system[strings.LastIndexByte(system, '\n')+1:])
	for rest, more := system, true; more; {
		var items string
		if _, items, more = strings.Cut(rest, `"items":[`); more {
			if item := shapeIn(items); sh.item == nil || len(item.fields) > len(sh.item.fields) {
				sh.item = &item
			}
		}
		rest = items
	}
	return sh
}

// isPair reports whether the shape is of a name and its value: of texts only.
func (sh *shape) isPair() bool {
	return len(sh.fields) == 2 && !slices.ContainsFunc(sh.fields, func(at field) bool { return at.list || at.kind != '"' })
}

// shapeIn reads the shape of the object that a text begins with.
func shapeIn(shown string) (sh shape) {
	d := json.NewDecoder(strings.NewReader(shown))
	if _, err := d.Token(); err != nil {
		panic("sim: a prompt shows no reply: " + shown)
	}
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic("sim: a prompt shows no reply: " + shown)
		}
		at := field{key: key.(string), kind: value[0]}
		if at.kind == '[' {
			value = bytes.TrimSpace(value[1:])
			at.list, at.kind = true, value[0]
		}
		if at.kind == '{' {
			of := shapeIn(string(value))
			at.of = &of
		}
		sh.fields = append(sh.fields, at)
	}
	return sh
}

// said is an engine's answer, as a reply may say it.
type said struct {
	text    string
	texts   []string
	yes     bool
	numbers []int  // of the passages
	quotes  []said // each with the number of its passage
	items   []said
	parts   []said // of a record, the texts of each its name and its value
}

// write writes what is said in a shape: each field takes what is of its kind. Only
// a record has a field that holds pairs.
func (sh *shape) write(s *said) string {
	var b strings.Builder
	put := func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(key) + ":" + value)
	}
	for i, at := range sh.fields {
		switch {
		case at.of != nil && at.of.isPair() && len(s.parts) > 0:
			put(at.key, at.of.writeAll(s.parts))
		case at.of != nil && at.of.isPair():
		case at.of != nil:
			put(at.key, at.of.writeAll(s.quotes))
		case sh.isPair():
			put(at.key, encoded(s.texts[i]))
		default:
			put(at.key, encoded(at.value(s)))
		}
	}
	if len(s.items) > 0 {
		put("items", sh.item.writeAll(s.items))
	}
	return "{" + b.String() + "}"
}

func encoded(v any) string { return string(bytes.TrimSpace(encode(v))) }

func (sh *shape) writeAll(all []said) string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = sh.write(&all[i])
	}
	return "[" + strings.Join(out, ",") + "]"
}

// value is what a field takes of what is said.
func (at *field) value(s *said) any {
	switch {
	case at.list && at.kind == '"':
		return append([]string{}, s.texts...)
	case at.list:
		return append([]int{}, s.numbers...)
	case at.kind == '"':
		return s.text
	case at.kind >= '0' && at.kind <= '9':
		return s.numbers[0]
	}
	return s.yes
}

// say is an engine's answer to a prompt that shows d.
func (sh *shape) say(answer any, d *prompts.Data) *said {
	switch v := answer.(type) {
	case messages.Class:
		return &said{text: string(v)}
	case string:
		return &said{text: v}
	case bool:
		return &said{yes: v}
	case []string:
		return &said{texts: listed(v, d)}
	case []bool:
		numbers := helpful(v, d)
		return &said{numbers: numbers, yes: len(numbers) > 0}
	case messages.Finding:
		if !sh.lists(v.Claims) {
			return &said{text: v.Text, numbers: numbers(v.Text, v.Sources), quotes: quoted(v.Text, v.Sources, v.Evidence, d)}
		}
		s := &said{quotes: quoted(v.Text, v.Sources, v.Evidence, d)}
		for _, c := range v.Claims {
			item := said{text: c.Text, numbers: numbers(c.Text, c.Citations)}
			for _, f := range c.Fields {
				item.parts = append(item.parts, said{texts: []string{f.Name, f.Value}})
			}
			s.items = append(s.items, item)
		}
		return s
	}
	panic("sim: an answer of no known type")
}

// lists reports whether claims are said as items, and not in one text: records, or
// several where the reply that the prompt asks for has quotes of its own.
func (sh *shape) lists(claims []messages.Claim) bool {
	if sh.item == nil {
		return false
	}
	quotes := slices.ContainsFunc(sh.fields, func(at field) bool { return at.of != nil })
	return len(claims) > 1 && quotes || slices.ContainsFunc(claims, func(c messages.Claim) bool { return len(c.Fields) > 0 })
}
