package sim

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
)

// shape is the object that a system text ends with: the reply it asks for.
type shape struct {
	fields []field
	items  bool // the system text has examples of lists
}

// field is one of a shape's: a key, and the first byte of the value shown,
// or of a list's first element.
type field struct {
	key  string
	list bool
	kind byte
}

// shapeOf reads the form of a prompt's reply from its system text.
func shapeOf(system string) shape {
	shown := system[strings.LastIndexByte(system, '\n')+1:]
	f := shape{items: strings.Contains(system, `"items":`)}
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
			at.list, at.kind = true, bytes.TrimSpace(value[1:])[0]
		}
		f.fields = append(f.fields, at)
	}
	return f
}

// said is an engine's answer, as a reply may say it.
type said struct {
	text    string
	texts   []string
	yes     bool
	numbers []int // of the passages
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
		var v any
		switch {
		case at.list && at.kind == '"':
			v = append([]string{}, s.texts...)
		case at.list:
			v = append([]int{}, s.numbers...)
		case at.kind == '"':
			v = s.text
		default:
			v = s.yes
		}
		b.Write(bytes.TrimSpace(encode(v)))
	}
	if len(s.items) > 1 {
		one := shape{fields: sh.fields}
		for i := range s.items {
			b.WriteString([2]string{`,"items":[`, ","}[min(i, 1)])
			b.WriteString(one.write(&s.items[i]))
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
	return b.String()
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
		if len(v.Claims) < 2 || !sh.items {
			return &said{text: v.Text, numbers: numbers(v.Text, v.Sources)}
		}
		s := &said{}
		for _, c := range v.Claims {
			s.items = append(s.items, said{text: c.Text, numbers: numbers(c.Text, c.Citations)})
		}
		return s
	}
	panic("sim: an answer of no known type")
}
