package prompts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape makes data safe to stand between marks: what is no text is cleaned
// away, then every character that would begin a mark of ours or of a common
// chat format is written as an entity. Where data already holds one of these
// entities, its ampersand is written as one too, so Plain gives the cleaned
// data back exactly. Any other text stays as it is.
func escape(data string) string { return entities(clean(data), false) }

// escapeTitle is escape for an attribute: quotes and line breaks, too.
func escapeTitle(data string) string { return entities(clean(data), true) }

// The entities, and all that Plain knows.
const (
	ampersand = "&amp;"
	less      = "&lt;"
	bracket   = "&#91;"
	quote     = "&quot;"
	lineBreak = "&#10;"
)

var plain = strings.NewReplacer(ampersand, "&", less, "<", bracket, "[", quote, `"`, lineBreak, "\n")

// Plain undoes what kept data from passing for a mark, as in an answer that a
// model copied from a passage.
func Plain(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return plain.Replace(text)
}

func entities(s string, title bool) string {
	special := "<[&"
	if title {
		special = "<[&\"\n"
	}
	var b strings.Builder
	done := 0 // s up to here is written
	for i := 0; i < len(s); i++ {
		n := strings.IndexAny(s[i:], special)
		if n < 0 {
			break
		}
		i += n
		var entity string
		switch rest := s[i+1:]; s[i] {
		case '<':
			if opensTag(rest) {
				entity = less
			}
		case '[':
			if opensBracket(rest) {
				entity = bracket
			}
		case '&':
			if looksEscaped(s[i:]) {
				entity = ampersand
			}
		case '"':
			entity = quote
		case '\n':
			entity = lineBreak
		}
		if entity != "" {
			b.WriteString(s[done:i])
			b.WriteString(entity)
			done = i + 1
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func looksEscaped(s string) bool {
	for _, e := range [...]string{ampersand, less, bracket, quote, lineBreak} {
		if strings.HasPrefix(s, e) {
			return true
		}
	}
	return false
}

// clean returns valid UTF-8 without control characters but line breaks and
// tabs: \r\n and \r become \n, form feeds and vertical tabs a space, bytes
// that are no UTF-8 the replacement character; the rest is dropped.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s { // a wrong byte is read as the replacement character
		switch {
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\f', r == '\v', r == '\u0085':
			b.WriteByte(' ')
		case r == '\n', r == '\t', !unicode.IsControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isClean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x20 && c != '\n' && c != '\t', c == 0x7f:
			return false
		case c == 0xc2 && s[i+1] < 0xa0: // U+0080 to U+009F
			return false
		}
	}
	return true
}
