package markup

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/document/draft"
)

// maxTitle is the most characters of a first line that is taken for the title.
const maxTitle = 80

// Text reads plain text. Its lines stay as they are, but for words that are
// hyphenated at their end with U+2010 or a soft hyphen, which are put together.
// Lines that are underlined are headings; a first line that stands alone, is
// short and is no sentence is the title. A manual page as it is printed is told
// by its first line.
func Text(w *draft.Writer, from io.ReadSeeker) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	s := draft.NewScanner(from)
	for s.More() && strings.TrimSpace(s.Peek(1)) == "" {
		s.Skip(1)
	}
	if title := manualTitle(s.Peek(1)); title != "" {
		manual(w, s, title)
		return s.Err()
	}
	if line := s.Peek(1); isTitle(line, s.Peek(2)) && s.Peek(2) == "" && s.Peek(3) != "" {
		w.Title(line)
		s.Skip(1)
	}
	plain(w, s)
	return s.Err()
}

// isTitle reports whether a first line is the title.
func isTitle(line, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(line)
	return line != "" && next == "" && utf8.RuneCountInString(line) <= maxTitle &&
		!strings.ContainsRune(".!?:;,…。", last) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && strings.ContainsFunc(line, unicode.IsLetter)
}

// plain writes lines as they are.
//
//revive:disable-next-line:cyclomatic one case per kind of line
func plain(w *draft.Writer, s *draft.Scanner) {
	before := "" // the line before
	fence := ""
	for s.Scan() && w.Err() == nil {
		line, next := joinHyphen(s), s.Peek(1)
		line = strings.ReplaceAll(line, "\f", "")
		body := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(body, fence) && strings.Trim(body, "`") == "" {
				fence = ""
				w.EndCode()
			} else {
				w.CodeLine(line, s.Number())
			}
		case body == "":
			w.Block()
		case strings.HasPrefix(body, "```") && !strings.Contains(strings.TrimLeft(body, "`"), "`"):
			fence = body[:len(body)-len(strings.TrimLeft(body, "`"))]
			w.Code(body[len(fence):], len(fence))
		case before == "" && underline(body) > 0 && underline(s.Peek(2)) == underline(body) && isHeading(next):
			// The line above a heading that has one below, too.
		case isHeading(line) && (before == "" || underline(before) > 0) && underlines(next, line):
			w.Heading(underline(next), line, s.Number())
			s.Skip(1)
			line = ""
		case before == "" && next == "" && strings.HasPrefix(line, "#"):
			if title := strings.TrimLeft(line, "#"); len(line)-len(title) <= 6 && strings.HasPrefix(title, " ") {
				w.Heading(len(line)-len(title), title, s.Number())
				break
			}
			w.Line(line, s.Number())
		default:
			w.Line(line, s.Number())
		}
		before = strings.TrimSpace(line)
	}
}

// isHeading reports whether a line may be a heading, if it is underlined.
func isHeading(line string) bool {
	return line != "" && line[0] != ' ' && line[0] != '\t' && utf8.RuneCountInString(line) <= 120 && strings.ContainsFunc(line, unicode.IsLetter)
}

// underline returns the level of the heading that a line of marks underlines, or
// 0 if it is none.
func underline(line string) int {
	switch {
	case len(line) < 3:
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	case strings.Trim(line, "~") == "":
		return 3
	}
	return 0
}

// underlines reports whether a line underlines the one above it, about as long.
func underlines(line, above string) bool {
	n := utf8.RuneCountInString(above)
	return underline(line) > 0 && len(line) >= n-2 && len(line) <= n+12
}

// joinHyphen returns the line of s. If it ends within a word, the rest of that is
// taken from the next line.
func joinHyphen(s *draft.Scanner) string {
	line := s.Text()
	last, n := utf8.DecodeLastRuneInString(line)
	if last != '\u2010' && last != '\u00AD' {
		return line
	}
	next := s.Peek(1)
	body := strings.TrimLeft(next, " \t")
	first, _ := utf8.DecodeRuneInString(body)
	if !unicode.IsLetter(first) {
		return line
	}
	word, rest, more := strings.Cut(body, " ")
	if more {
		s.Replace(next[:len(next)-len(body)] + strings.TrimLeft(rest, " "))
	} else {
		s.Replace("")
		if after := s.Peek(2); after != "" { // no blank line may come to be
			s.Drop()
		}
	}
	return line[:len(line)-n] + word
}
