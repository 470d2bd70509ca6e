package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean takes out of a line what is no text: control characters but for tabs,
// marks of byte order, soft hyphens. What is not valid UTF-8 becomes U+FFFD.
func clean(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] < 0x7f || s[i] == '\t'
	}
	if plain {
		return s
	}
	bad := !utf8.ValidString(s)
	for _, r := range s {
		if bad {
			break
		}
		bad = dropped(r)
	}
	if !bad {
		return s
	}
	return strings.Map(func(r rune) rune {
		if dropped(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func dropped(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || r == '\uFEFF' || r == '\u00AD' || r == '\u200B'
}

// oneLine is a text in one line, without white space that says nothing.
func oneLine(s string) string {
	return strings.Join(strings.Fields(clean(strings.ReplaceAll(s, "\n", " "))), " ")
}

// escape keeps a line of running text from looking like a heading or the mark
// of code.
func escape(s string) string {
	body := strings.TrimLeft(s, " \t")
	switch {
	case body == "":
	case body[0] == '#':
		if level, _ := headingOf(s); level > 0 {
			return "    " + s
		}
	case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
		at := len(s) - len(body) + 1
		return s[:at] + " " + s[at:]
	}
	return s
}

// headingOf returns the level and the text of a line that # mark as a heading;
// level 0 if none do.
func headingOf(s string) (level int, text string) {
	body := strings.TrimLeft(s, " ")
	for level < len(body) && body[level] == '#' {
		level++
	}
	if level < 1 || level > 6 || level == len(body) || body[level] != ' ' || len(s)-len(body) > 3 {
		return 0, ""
	}
	return level, body[level:]
}
