package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Object is the JSON object found in a reply.
type Object struct {
	fields map[string]any
	cut    bool
}

// bareWord is a reply of a few words without JSON. It is accepted as a boolean or
// a choice, not as a text.
type bareWord string

// maxStarts bounds the places in a reply at which an object is looked for.
const maxStarts = 64

// ReadObject finds the JSON object in a reply: bare, in a fence, after or
// before other words, after thinking aloud, cut off at its end. It looks for
// the first object that has the key wanted; a reply that is only that key's
// value counts as the object.
func ReadObject(text, key string) (Object, error) {
	text = withoutThinking(text)
	at, found, cut := 0, false, false
	for range maxStarts {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 {
			break
		}
		p := lenient{s: text, i: at + i}
		at += i + 1
		v, err := p.value(0)
		o, ok := v.(object)
		if err != nil || !ok {
			continue
		}
		found, cut = true, cut || o.cut
		if _, ok := o.fields[key]; ok {
			return Object(o), nil
		}
	}
	if cut {
		return Object{}, fmt.Errorf("the reply was cut off before %q: use fewer words", key)
	}
	if found {
		return Object{}, fmt.Errorf("the JSON object has no %q", key)
	}
	bare := strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "`."))
	bare = strings.TrimSpace(strings.TrimPrefix(bare, "json"))
	p := lenient{s: bare}
	if v, err := p.value(0); err == nil {
		p.space()
		if _, isObject := v.(object); p.done() && !isObject {
			return Object{fields: map[string]any{key: v}}, nil
		}
	}
	if bare == "" {
		return Object{}, fmt.Errorf("the reply is empty")
	}
	if len(bare) <= 40 && !strings.ContainsAny(bare, "{}[]\"") { // a word alone
		return Object{fields: map[string]any{key: bareWord(bare)}}, nil
	}
	return Object{}, fmt.Errorf("the reply holds no JSON object")
}

// withoutThinking removes the reasoning that a model wrote between marks.
func withoutThinking(text string) string {
	for _, mark := range [...]string{"think", "thinking"} {
		if i := strings.LastIndex(text, "</"+mark+">"); i >= 0 {
			text = text[i+len(mark)+3:]
		} else if i := strings.Index(text, "<"+mark+">"); i >= 0 {
			text = text[:i] // it never stopped
		}
	}
	return text
}

// Bool returns a boolean, however it is spelled.
func (o Object) Bool(key string) (bool, error) {
	switch v := o.fields[key].(type) {
	case bool:
		return v, nil
	case float64:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
	case string, bareWord:
		switch word(v) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0":
			return false, nil
		}
	}
	return false, fmt.Errorf("%q is neither true nor false", key)
}

// Choice returns one of the allowed words.
func (o Object) Choice(key string, allowed ...string) (string, error) {
	s := word(o.fields[key])
	if slices.Contains(allowed, s) {
		return s, nil
	}
	return "", fmt.Errorf("%q is none of %s", key, strings.Join(allowed, ", "))
}

// word is a string's or bare word's letters.
func word(v any) string {
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case bareWord:
		s = string(v)
	}
	return strings.ToLower(strings.Trim(strings.TrimSpace(s), ".!\"'"))
}

// Text returns a string, trimmed, in one piece of at most max bytes. null is
// the empty string; a list of strings is joined. A text that the reply ended
// in the middle of is an error.
func (o Object) Text(key string, max int) (string, error) {
	return o.text(key, max, oneLine)
}

// Lines is Text for steps and code: line breaks stay, and so does what a line
// begins with.
func (o Object) Lines(key string, max int) (string, error) {
	return o.text(key, max, func(s string) string {
		if !strings.Contains(s, "\n") {
			return oneLine(s)
		}
		lines := strings.Split(strings.ToValidUTF8(s, ""), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimRight(l, " \t\r")
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	})
}

// oneLine is s with single spaces for all white space.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
}

func (o Object) text(key string, max int, tidy func(string) string) (string, error) {
	var s string
	switch v := o.fields[key].(type) {
	case nil:
		if _, ok := o.fields[key]; !ok {
			return "", fmt.Errorf("%q is missing", key)
		}
	case string:
		s = v
	case cutText:
		return "", fmt.Errorf("%q was cut off: use fewer words", key)
	case bool:
		s = map[bool]string{true: "yes", false: "no"}[v]
	case float64:
		s = strconv.FormatFloat(v, 'f', -1, 64)
	case list:
		texts, err := o.Texts(key, 32, max)
		if err != nil || v.cut {
			return "", fmt.Errorf("%q is no text", key)
		}
		s = strings.Join(texts, "; ")
	default:
		return "", fmt.Errorf("%q is no text", key)
	}
	if s = tidy(s); len(s) > max {
		return "", fmt.Errorf("%q has %d bytes, the limit is %d", key, len(s), max)
	}
	return s, nil
}

// Texts returns a list of strings; elements that are empty or too long are
// left out, and so is what was cut off. A single string is a list of one.
func (o Object) Texts(key string, count, max int) ([]string, error) {
	var items []any
	switch v := o.fields[key].(type) {
	case list:
		items = v.items
	case string:
		items = []any{v}
	default:
		return nil, fmt.Errorf("%q is no list", key)
	}
	var out []string
	for _, item := range items {
		if inner, ok := item.(object); ok { // {"question": "…"} instead of "…"
			for _, v := range inner.fields {
				if len(inner.fields) == 1 {
					item = v
				}
			}
		}
		s, ok := item.(string)
		s = oneLine(s)
		if !ok || s == "" || len(s) > max {
			continue
		}
		if len(out) < count {
			out = append(out, s)
		}
	}
	return out, nil
}

// Numbers returns those of a list's whole numbers that lie between 1 and most,
// each once, in order of appearance. One number is a list of one.
func (o Object) Numbers(key string, most int) ([]int, error) {
	var items []any
	switch v := o.fields[key].(type) {
	case list:
		items = v.items
	case float64:
		items = []any{v}
	case nil:
		if _, ok := o.fields[key]; !ok {
			return nil, fmt.Errorf("%q is missing", key)
		}
	case string:
		for _, f := range strings.FieldsFunc(v, func(r rune) bool { return r < '0' || r > '9' }) {
			items = append(items, f)
		}
	default:
		return nil, fmt.Errorf("%q is no list of numbers", key)
	}
	var out []int
	for _, item := range items {
		n, ok := 0, false
		switch v := item.(type) {
		case float64:
			n, ok = int(v), v == math.Trunc(v)
		case string:
			i, err := strconv.Atoi(strings.TrimSpace(v))
			n, ok = i, err == nil
		}
		if ok && n >= 1 && n <= most && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}
