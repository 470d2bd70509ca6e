package prompts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape makes data safe to stand between marks. Control characters and invalid
// UTF-8 are removed (see clean), then every character that would begin a mark of ours or of a common
// chat format is written as an entity. Where data already holds one of these
// entities, its ampersand is written as one too, so Plain gives the cleaned
// data back exactly. Any other text stays as it is.
func escape(data string) string { return entities(data, inText) }

// escapeTitle is escape for an attribute: quotes and line breaks, too.
func escapeTitle(data string) string { return entities(data, inText|inTitle) }

// The entities, and all that Plain knows.
const (
	ampersand = "&amp;"
	less      = "&lt;"
	bracket   = "&#91;"
	quote     = "&quot;"
	lineBreak = "&#10;"
)

var plain = strings.NewReplacer(ampersand, "&", less, "<", bracket, "[", quote, `"`, lineBreak, "\n")

// Quote returns an untrusted text, such as a model's own reply, in a form that is
// safe in a chat: it opens none of our marks, and no turn of a chat template.
// Plain undoes it.
func Quote(text string) string { return escape(text) }

// Plain undoes what kept data from passing for a mark, as in an answer that a
// model copied from a passage.
func Plain(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return plain.Replace(text)
}

// What has to be done about a byte of data.
const (
	inText  = 1 << iota // perhaps an entity
	inTitle             // an entity in an attribute
	unclean             // perhaps cleaning
)

var needs = func() (out [256]byte) {
	for c := range 0x20 {
		out[c] = unclean
	}
	out['\t'], out['\n'] = 0, inTitle
	out[0x7f], out[0xc2] = unclean, unclean // 0xc2 begins U+0080 to U+009F
	out['<'], out['['], out['&'], out['"'] = inText, inText, inText, inTitle
	return out
}()

// entities cleans s and replaces characters by entities, as far as need asks for.
func entities(s string, need byte) string {
	var found byte
	for i := range len(s) {
		found |= needs[s[i]]
	}
	if found&unclean != 0 || !utf8.ValidString(s) {
		s = clean(s)
	} else if found&need == 0 {
		return s
	}
	var b strings.Builder
	done := 0 // s up to here is written
	for i := range len(s) {
		if needs[s[i]]&need == 0 {
			continue
		}
		entity := entityAt(s, i)
		if entity == "" {
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(entity)
		done = i + 1
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// entityAt returns what is written for the special character at i, or nothing
// where it is harmless.
func entityAt(s string, i int) string {
	switch c, rest := s[i], s[i+1:]; {
	case c == '<' && opensTag(rest):
		return less
	case c == '[' && opensBracket(rest):
		return bracket
	case c == '&' && looksEscaped(s[i:]):
		return ampersand
	case c == '"':
		return quote
	case c == '\n':
		return lineBreak
	}
	return ""
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
