package markup

import (
	"regexp"
	"strings"

	"hopstream/index/document/draft"
)

// mark is a mark within lines, and what is left of it.
type mark struct {
	find *regexp.Regexp
	keep string // with $1 and so on
}

// strip takes marks out of text. Lines stay: the ends of those within what is
// left out go behind it.
func strip(text string, marks []mark) string {
	for _, m := range marks {
		if !m.find.MatchString(text) {
			continue
		}
		text = m.find.ReplaceAllStringFunc(text, func(s string) string {
			kept := m.find.ReplaceAllString(s, m.keep)
			if lost := strings.Count(s, "\n") - strings.Count(kept, "\n"); lost > 0 {
				kept += strings.Repeat("\n", lost)
			}
			return kept
		})
	}
	return text
}

// prose collects the lines of a paragraph, since marks may go from one to the
// next.
type prose struct {
	w     *draft.Writer
	marks []mark
	lines []string
	at    int // the first line's number
}

// maxProse is the most lines of a paragraph; more are written in pieces.
const maxProse = 500

func (p *prose) add(line string, number int) {
	if len(p.lines) == 0 {
		p.at = number
	}
	for len(p.lines) < number-p.at && len(p.lines) < maxProse {
		p.lines = append(p.lines, "")
	}
	p.lines = append(p.lines, strings.TrimSpace(line))
	if len(p.lines) >= maxProse {
		p.flush()
	}
}

// flush writes the lines.
func (p *prose) flush() {
	if len(p.lines) == 0 {
		return
	}
	text := strip(strings.Join(p.lines, "\n"), p.marks)
	at := p.at
	p.lines = p.lines[:0]
	for line := range strings.SplitSeq(text, "\n") {
		p.w.Line(strings.TrimSpace(line), at)
		at++
	}
}

// one strips a line of its own.
func (p *prose) one(line string) string {
	return strings.Join(strings.Fields(strip(line, p.marks)), " ")
}

// nest is the open items of lists that are told by indentation.
type nest struct {
	w       *draft.Writer
	columns []int // at which their content begins
}

// at closes the items that a line with an indentation is not part of.
func (n *nest) at(indent int) {
	for k := len(n.columns); k > 0 && indent < n.columns[k-1]; k-- {
		n.w.EndItem()
		n.columns = n.columns[:k-1]
	}
}

// open begins an item whose content begins in a column.
func (n *nest) open(mark string, column int) {
	n.w.BeginItem(mark)
	n.columns = append(n.columns, column)
}

func indentOf(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n = (n + 8) &^ 7
		default:
			return n
		}
	}
	return n
}

// codeBlock writes the lines that follow and are indented deeper than by indent,
// without what all of them are indented by.
func codeBlock(w *draft.Writer, s *draft.Scanner, language string, indent int) {
	w.Code(language, 3)
	base := -1
	for s.More() && w.Err() == nil {
		line := s.Peek(1)
		if line != "" && indentOf(line) <= indent {
			break
		}
		s.Scan()
		if line != "" && (base < 0 || indentOf(line) < base) {
			base = indentOf(line)
		}
		w.CodeLine(cutIndent(line, base), s.Number())
	}
	w.EndCode()
}

// cutIndent cuts up to n columns of indentation off a line.
func cutIndent(line string, n int) string {
	for n > 0 && line != "" && (line[0] == ' ' || line[0] == '\t') {
		if line[0] == '\t' {
			n -= 7
		}
		line = line[1:]
		n--
	}
	return line
}

// skipBlock passes over the lines that follow and are indented deeper.
func skipBlock(s *draft.Scanner, indent int) {
	for s.More() {
		line := s.Peek(1)
		if line != "" && indentOf(line) <= indent {
			return
		}
		s.Scan()
	}
}
