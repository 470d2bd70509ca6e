package model

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A value of a reply is nil, bool, float64, string, list or object. A value that
// the reply broke off in is marked as cut.
type (
	list struct {
		items []any
		cut   bool
	}
	object struct {
		fields map[string]any
		cut    bool
	}
	// cutText is a string whose end is missing, since the reply ended within it.
	cutText string
)

// maxDepth bounds nesting; the schemas need two.
const maxDepth = 16

var errNoValue = errors.New("no JSON value")

// lenient reads JSON as small models write it: single quotes, bare keys,
// Python's literals, line breaks in strings, trailing commas, missing closers
// at the end. It never fails on input that merely ends too soon.
type lenient struct {
	s string
	i int
}

func (p *lenient) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *lenient) done() bool { return p.i >= len(p.s) }

func (p *lenient) value(depth int) (any, error) {
	p.space()
	if p.done() || depth > maxDepth {
		return nil, errNoValue
	}
	switch c := p.s[p.i]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"' || c == '\'':
		return p.text()
	}
	return p.word()
}

func (p *lenient) object(depth int) (any, error) {
	o := object{fields: map[string]any{}}
	p.i++ // {
	for {
		p.space()
		if p.done() {
			o.cut = true
			return o, nil
		}
		switch p.s[p.i] {
		case '}':
			p.i++
			return o, nil
		case ',':
			p.i++
			continue
		}
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		p.space()
		if p.done() {
			o.cut = true
			return o, nil
		}
		if p.s[p.i] != ':' {
			return nil, errNoValue
		}
		p.i++
		v, err := p.value(depth + 1)
		if err != nil {
			if p.done() {
				o.cut = true
				return o, nil
			}
			return nil, err
		}
		if _, ok := o.fields[key]; !ok { // the first of two equal keys counts
			o.fields[key] = v
		}
	}
}

func (p *lenient) key() (string, error) {
	if c := p.s[p.i]; c == '"' || c == '\'' {
		v, err := p.text()
		if s, ok := v.(string); ok {
			return s, err
		}
		if s, ok := v.(cutText); ok {
			return string(s), err
		}
		return "", errNoValue
	}
	start := p.i
	for p.i < len(p.s) && wordByte(p.s[p.i]) {
		p.i++
	}
	if p.i == start {
		return "", errNoValue
	}
	return p.s[start:p.i], nil
}

func (p *lenient) list(depth int) (any, error) {
	var l list
	p.i++ // [
	for {
		p.space()
		if p.done() {
			l.cut = true
			return l, nil
		}
		switch p.s[p.i] {
		case ']':
			p.i++
			return l, nil
		case ',':
			p.i++
			continue
		case '}': // the list's own bracket is missing
			l.cut = true
			return l, nil
		}
		v, err := p.value(depth + 1)
		if err != nil {
			if p.done() {
				l.cut = true
				return l, nil
			}
			return nil, err
		}
		if _, ok := v.(cutText); ok { // half an element is none
			l.cut = true
			return l, nil
		}
		l.items = append(l.items, v)
	}
}

// text reads a string up to its quote, or to the end.
func (p *lenient) text() (any, error) {
	quote := p.s[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == quote:
			p.i++
			return b.String(), nil
		case c != '\\':
			b.WriteByte(c)
			p.i++
		case halfEscape(p.s[p.i:]):
			p.i = len(p.s)
		default:
			p.escape(&b)
		}
	}
	return cutText(strings.ToValidUTF8(b.String(), "")), nil
}

// halfEscape reports whether s, which begins with a backslash, ends within the
// escape, or between the two of a surrogate pair: what it stands for is not known.
func halfEscape(s string) bool {
	if len(s) < 2 {
		return true
	}
	if s[1] != 'u' {
		return false
	}
	p := lenient{s: s, i: 2}
	r, n := p.unicode()
	if rest := s[2+n:]; n == 4 && r >= 0xD800 && r < 0xDC00 {
		return rest == "" || (rest[0] == '\\' && (len(rest) == 1 || rest[1] == 'u') && halfEscape(rest))
	}
	return n < 4 && len(s) == 2+n
}

// escape reads a backslash and what follows it.
func (p *lenient) escape(b *strings.Builder) {
	c := p.s[p.i+1]
	p.i += 2
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r', 'b', 'f':
		b.WriteByte(' ')
	case 'u':
		r, n := p.unicode()
		p.i += n
		if r >= 0xD800 && r < 0xDC00 && strings.HasPrefix(p.s[p.i:], `\u`) {
			p.i += 2
			low, n := p.unicode()
			p.i += n
			if low >= 0xDC00 && low < 0xE000 {
				r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
			}
		}
		if !utf8.ValidRune(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	default:
		b.WriteByte(c)
	}
}

// unicode reads up to four hexadecimal digits and says how many there were.
func (p *lenient) unicode() (r rune, n int) {
	end := min(p.i+4, len(p.s))
	for n = 0; p.i+n < end; n++ {
		d, err := strconv.ParseUint(p.s[p.i+n:p.i+n+1], 16, 8)
		if err != nil {
			break
		}
		r = r<<4 | rune(d)
	}
	return r, n
}

// word reads a literal or a number.
func (p *lenient) word() (any, error) {
	start := p.i
	for p.i < len(p.s) && (wordByte(p.s[p.i]) || strings.IndexByte("+-.", p.s[p.i]) >= 0) {
		p.i++
	}
	w := p.s[start:p.i]
	switch strings.ToLower(w) {
	case "true", "yes":
		return true, nil
	case "false", "no":
		return false, nil
	case "null", "none", "nil":
		return nil, nil
	}
	if f, err := strconv.ParseFloat(w, 64); err == nil {
		return f, nil
	}
	if p.done() { // half a literal
		return nil, errNoValue
	}
	p.i = start
	return nil, errNoValue
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
