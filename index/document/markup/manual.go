package markup

import (
	"regexp"
	"strings"

	"hopstream/index/document/draft"
)

// manualHead is the first line of a manual page as it is printed:
// LS(1)      User Commands      LS(1).
var manualHead = regexp.MustCompile(`^\s*([\w.:+@\[-]+\(\w{1,12}\))\s.*\s([\w.:+@\[-]+\(\w{1,12}\))$`)

// manualTitle returns the name of the manual page that begins with a line.
func manualTitle(line string) string {
	line = printed(line)
	m := manualHead.FindStringSubmatch(line)
	if m == nil || !strings.EqualFold(m[1], m[2]) {
		return ""
	}
	return m[1]
}

// manual writes a manual page as it is printed: what stands at the left edge is
// a heading, what is indented by three a heading below it.
func manual(w *draft.Writer, s *draft.Scanner, title string) {
	w.Title(title)
	s.Skip(1)
	blank := true
	for s.Scan() && w.Err() == nil {
		s.Set(printed(s.Text()))
		line := joinHyphen(s)
		body := strings.TrimLeft(line, " \t")
		indent := len(line) - len(body)
		switch {
		case body == "":
			w.Block()
		case indent == 0 && strings.HasSuffix(line, title):
			// The line at the foot of a page, or the head of the next.
		case indent == 0 && blank:
			w.Heading(1, line, s.Number())
		case indent == 3 && line[0] == ' ' && blank:
			w.Heading(2, line, s.Number())
		default:
			w.Line(line, s.Number())
		}
		blank = body == ""
	}
}

// printed takes the marks of a terminal or a line printer out of a line: what
// is struck over (c, backspace, c) and escape sequences.
func printed(s string) string {
	if !strings.ContainsAny(s, "\b\x1b") {
		return s
	}
	out := []rune{}
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '\b':
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case r == '\x1b':
			for i+1 < len(runes) && !(runes[i] >= '@' && runes[i] <= '~' && runes[i] != '[') {
				i++
			}
		default:
			out = append(out, r)
		}
	}
	return string(out)
}
