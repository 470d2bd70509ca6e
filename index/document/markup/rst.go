package markup

import (
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"hopstream/index/document/draft"
)

// rstMarks are the marks within lines, literals first.
var rstMarks = []mark{
	{regexp.MustCompile("``([^`]+(?:`[^`]+)*)``"), "\x02$1\x02"},
	{regexp.MustCompile("(?s):[\\w:+.-]+:`[~!]?([^`<]*[^`<\\s])\\s*<[^`>]*>`"), "$1"},
	{regexp.MustCompile("(?s):[\\w:+.-]+:`(?:~[^`]*\\.|[~!])?([^`]*)`"), "$1"},
	{regexp.MustCompile("(?s)`([^`<]*[^`<\\s])\\s*<[^`>]*>`__?"), "$1"},
	{regexp.MustCompile("(?s)`([^`]+)`(?:__?)?"), "$1"},
	{regexp.MustCompile(`(?s)\*\*([^*\s](?:[^*]*[^*\s])?)\*\*`), "$1"},
	{regexp.MustCompile(`(?s)(^|[\s("'\[-])\*([^*\s](?:[^*]*[^*\s])?)\*`), "$1$2"},
	{regexp.MustCompile(`\s?\[#?[\w*]*\]_`), ""},
	{regexp.MustCompile(`\\ |\\$`), ""},
	{regexp.MustCompile("\\\\([*`_|\\\\:])"), "$1"},
	{regexp.MustCompile("\x02"), ""},
}

// rst reads reStructuredText.
type rst struct {
	w *draft.Writer
	s *draft.Scanner
	prose
	nest
	adornments []string // of sections, by level
	blank      bool     // the line before was
}

// RST reads reStructuredText: sections, lists, blocks of code, tables. Comments
// and what only steers a generator are left out.
func RST(w *draft.Writer, from io.ReadSeeker) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	r := rst{w: w, s: draft.NewScanner(from), prose: prose{w: w, marks: rstMarks}, nest: nest{w: w}, blank: true}
	for r.s.Scan() && w.Err() == nil {
		line := r.s.Text()
		r.line(line, strings.TrimSpace(line), indentOf(line))
		r.blank = line == ""
	}
	r.flush()
	r.nest.at(-1)
	return r.s.Err()
}

var (
	rstItem  = regexp.MustCompile(`^([-*+•]|\(?(?:\d{1,4}|#|[a-z])[.)])\s+\S`)
	rstField = regexp.MustCompile(`^:([\w -]+):(?:\s+(.*))?$`)
	rstRule  = regexp.MustCompile(`^=+(\s+=+)+$`)
	rstGrid  = regexp.MustCompile(`^\+[-=+]+\+$`)
)

func (r *rst) line(line, body string, indent int) {
	switch {
	case body == "":
		r.flush()
		r.w.Block()
		return
	case strings.HasPrefix(body, ".. ") || body == "..":
		r.flush()
		r.nest.at(indent)
		r.explicit(body, indent)
		return
	case r.blank && indent == 0 && r.section(line):
		return
	case rstRule.MatchString(body):
		r.flush()
		r.nest.at(indent)
		r.simpleTable(body, indent)
		return
	case rstGrid.MatchString(body):
		r.flush()
		r.nest.at(indent)
		r.gridTable()
		return
	}
	r.text(body, indent)
}

// text reads a line of running text, or the first of an item.
func (r *rst) text(body string, indent int) {
	if r.blank || len(r.columns) > 0 && rstItem.MatchString(body) {
		r.flush()
		r.nest.at(indent)
	}
	if m := rstItem.FindStringSubmatch(body); m != nil && len(r.prose.lines) == 0 {
		mark := strings.Trim(m[1], "()")
		switch {
		case strings.ContainsAny(mark, "0123456789"):
			mark = strings.TrimRight(mark, ".") + "."
		default:
			mark = "-"
		}
		rest := strings.TrimLeft(body[len(m[1]):], " \t")
		r.nest.open(mark, indent+len(body)-len(rest))
		r.blank = true
		r.text(rest, indent+len(body)-len(rest))
		return
	}
	number := r.s.Number()
	if m := rstField.FindStringSubmatch(body); m != nil && len(r.prose.lines) == 0 {
		if strings.EqualFold(m[1], "date") {
			r.w.Date(m[2])
			return
		}
		body = m[1] + ": " + m[2]
	}
	if strings.HasPrefix(body, ">>> ") {
		r.flush()
		r.w.Code("", 3)
		r.w.CodeLine(body, number)
		for r.s.More() && r.s.Peek(1) != "" {
			r.s.Scan()
			r.w.CodeLine(cutIndent(r.s.Text(), indent), r.s.Number())
		}
		r.w.EndCode()
		return
	}
	body = strings.TrimPrefix(body, "| ")
	if rest, literal := strings.CutSuffix(body, "::"); literal && r.s.Peek(1) == "" {
		if strings.TrimSpace(rest) != "" {
			r.prose.add(strings.TrimSpace(rest)+":", number)
		}
		r.flush()
		codeBlock(r.w, r.s, "", indent)
		return
	}
	r.prose.add(body, number)
}

// section reads a heading: a line with marks below it, and maybe above it.
func (r *rst) section(line string) bool {
	over := ""
	if adornment(line) && r.s.Peek(1) != "" && adornment(r.s.Peek(2)) && r.s.Peek(2)[0] == line[0] {
		over, line = line[:1], strings.TrimSpace(r.s.Peek(1))
		r.s.Skip(1)
	} else if adornment(line) && r.s.Peek(1) == "" {
		r.flush()
		r.w.Block() // a rule between paragraphs
		return true
	}
	below := r.s.Peek(1)
	if !adornment(below) || len(below)+1 < utf8.RuneCountInString(line) && over == "" {
		return false
	}
	r.flush()
	r.nest.at(-1)
	style := over + below[:1]
	level := 0
	for level < len(r.adornments) && r.adornments[level] != style {
		level++
	}
	if level == len(r.adornments) {
		r.adornments = append(r.adornments, style)
	}
	r.w.Heading(level+1, r.one(line), r.s.Number())
	r.s.Skip(1)
	return true
}

// adornment reports whether a line is one mark again and again.
func adornment(line string) bool {
	return len(line) >= 3 && strings.Trim(line, line[:1]) == "" && strings.Contains("=-`:.'\"~^_*+#<>!$%&,/;?@\\|", line[:1])
}

// simpleTable reads a table whose columns stand below rules of =.
//
//revive:disable-next-line:cyclomatic,cognitive-complexity one loop that knows rules, rows and cells that go on
func (r *rst) simpleTable(rule string, indent int) {
	var starts []int
	for i := range len(rule) {
		if rule[i] == '=' && (i == 0 || rule[i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	rules := 1
	var cells []string
	at := 0
	end := func() {
		r.w.Row(cells, at)
		cells = nil
	}
	for rules < 3 && r.s.Scan() {
		line := cutIndent(r.s.Text(), indent)
		if rstRule.MatchString(line) || strings.Trim(line, "- ") == "" && line != "" {
			if line[0] == '=' {
				rules++
			}
			if rules == 2 && r.s.Peek(1) == "" {
				break
			}
			continue
		}
		if line == "" && rules >= 2 && (r.s.Peek(1) == "" || indentOf(r.s.Peek(1)) < indent) {
			break
		}
		row := columnsOf(line, starts)
		if row[0] == "" && cells != nil { // a cell that goes on
			for i := range row {
				cells[i] += " " + row[i]
			}
			continue
		}
		end()
		for i := range row {
			row[i] = r.one(row[i])
		}
		cells, at = row, r.s.Number()
	}
	end()
	r.w.Block()
}

// columnsOf cuts a line at columns.
func columnsOf(line string, starts []int) []string {
	runes := []rune(line)
	out := make([]string, len(starts))
	for i, from := range starts {
		to := len(runes)
		if i+1 < len(starts) {
			to = min(starts[i+1], to)
		}
		if from < to {
			out[i] = strings.TrimSpace(string(runes[from:to]))
		}
	}
	return out
}

// gridTable reads a table whose cells have borders.
func (r *rst) gridTable() {
	var cells []string
	at := 0
	for r.s.More() {
		line := strings.TrimSpace(r.s.Peek(1))
		if line == "" || line[0] != '|' && line[0] != '+' {
			break
		}
		r.s.Scan()
		if line[0] == '+' {
			r.w.Row(cells, at)
			cells = nil
			continue
		}
		row := strings.Split(strings.Trim(line, "|"), "|")
		if len(row) != len(cells) {
			r.w.Row(cells, at)
			cells, at = make([]string, len(row)), r.s.Number()
		}
		for i := range row {
			cells[i] += " " + r.one(row[i])
		}
	}
	r.w.Row(cells, at)
	r.w.Block()
}
