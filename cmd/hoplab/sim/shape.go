package sim

import (
	"bytes"
	"encoding/json"
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
// that it ends with.
func shapeOf(system string) shape {
	sh := shapeIn(system[strings.LastIndexByte(system, '\n')+1:])
	if _, items, ok := strings.Cut(system, `"items":[`); ok {
		item := shapeIn(items)
		sh.item = &item
	}
	return sh
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
}

// write writes what is said in a shape: each field takes what is of its kind.
func (sh *shape) write(s *said) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, at := range sh.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(at.key) + ":")
		if at.of != nil {
			b.WriteString(at.of.writeAll(s.quotes))
			continue
		}
		b.Write(bytes.TrimSpace(encode(at.value(s))))
	}
	if len(s.items) > 1 {
		b.WriteString(`,"items":` + sh.item.writeAll(s.items))
	}
	b.WriteByte('}')
	return b.String()
}

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
		if len(v.Claims) < 2 || sh.item == nil {
			return &said{text: v.Text, numbers: numbers(v.Text, v.Sources), quotes: quoted(v.Text, v.Sources, v.Evidence, d)}
		}
		s := &said{quotes: quoted(v.Text, v.Sources, v.Evidence, d)}
		for _, c := range v.Claims {
			s.items = append(s.items, said{text: c.Text, numbers: numbers(c.Text, c.Citations)})
		}
		return s
	}
	panic("sim: an answer of no known type")
}
