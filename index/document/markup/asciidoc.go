package markup

import (
	"io"
	"regexp"
	"strings"

	"hopstream/index/document/draft"
)

var adocMarks = []mark{
	{regexp.MustCompile(`(?s)(?:https?|ftp|irc|mailto|link|xref):[^\s\[\]]*\[([^\]]*?)(?:,\s*\w+=[^\]]*|\^)?\]`), "$1"},
	{regexp.MustCompile(`(?s)<<[^>,]*,\s*([^>]*)>>`), "$1"},
	{regexp.MustCompile(`<<#?([^>,]*)>>`), "$1"},
	{regexp.MustCompile(`(?:image|icon|kbd|btn|menu|footnote|anchor|pass|stem|indexterm2?):\w*[^\s\[]*\[([^\]]*)\]`), "$1"},
	{regexp.MustCompile(`\[\[[^\]]*\]\]|\[#[\w-]+\]`), ""},
	{regexp.MustCompile("(?s)(^|[^\\w`])`\\+?([^`\\s](?:[^`]*?[^`\\s])?)\\+?`"), "$1$2"},
	{regexp.MustCompile(`(?s)(^|[^\w*])\*{1,2}([^*\s](?:[^*]*?[^*\s])?)\*{1,2}`), "$1$2"},
	{regexp.MustCompile(`(?s)(^|[^\w_])_{1,2}([^_\s](?:[^_]*?[^_\s])?)_{1,2}(?:\b|$)`), "$1$2"},
	{regexp.MustCompile(`\s\+(\n|$)`), "$1"},
}

// asciidoc reads AsciiDoc.
type asciidoc struct {
	w *draft.Writer
	s *draft.Scanner
	prose
	language string
	code     bool     // [source] stands above
	open     []string // marks of the open items
	counts   [maxLists + 1]int
	columns  int
	attached bool // + stands above
	blank    bool
}

// AsciiDoc reads AsciiDoc: sections, lists, listings, tables. Attributes and
// macros that hold no text are left out.
func AsciiDoc(w *draft.Writer, from io.ReadSeeker) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	a := asciidoc{w: w, s: draft.NewScanner(from), prose: prose{w: w, marks: adocMarks}, blank: true}
	for a.s.Scan() && w.Err() == nil {
		line := a.s.Text()
		a.line(line)
		a.blank = line == ""
	}
	a.closeItems(0)
	return a.s.Err()
}

var (
	adocHeading   = regexp.MustCompile(`^(={1,6}|#{1,6})\s+(\S.*)$`)
	adocAttribute = regexp.MustCompile(`^:!?([\w-]+)!?:(?:\s+(.*))?$`)
	adocBlock     = regexp.MustCompile(`^\[.*\]$`)
	adocMacro     = regexp.MustCompile(`^(include|image|video|audio|ifdef|ifndef|ifeval|endif|toc|tag|end)::.*\[.*\]$`)
	adocItem      = regexp.MustCompile(`^\s*(\*{1,6}|-|\.{1,6}|\d{1,4}\.)\s+(\S.*)$`)
	adocTerm      = regexp.MustCompile(`^\s*(\S.*?)(:{2,4}|;;)(?:\s+(.*))?$`)
)

//revive:disable-next-line:cyclomatic one case per kind of line
func (a *asciidoc) line(line string) {
	number := a.s.Number()
	switch {
	case line == "":
		a.flush()
		a.w.Block()
	case strings.HasPrefix(line, "////"):
		a.until(line, nil)
	case strings.HasPrefix(line, "//"), adocMacro.MatchString(line):
	case adocHeading.MatchString(line):
		a.closeItems(0)
		m := adocHeading.FindStringSubmatch(line)
		a.w.Heading(len(m[1]), a.one(m[2]), number)
		if number <= 20 && len(m[1]) == 1 {
			a.header()
		}
	case len(a.lines) == 0 && adocAttribute.MatchString(line):
		if m := adocAttribute.FindStringSubmatch(line); m[1] == "revdate" || m[1] == "date" {
			a.w.Date(m[2])
		}
	case len(a.lines) == 0 && adocBlock.MatchString(line):
		a.attributes(strings.Trim(line, "[]"))
	case strings.HasPrefix(line, "|===") || strings.HasPrefix(line, "!==="):
		a.flush()
		a.table(line)
	case delimiter(line) != 0 || strings.HasPrefix(line, "```"):
		a.flush()
		a.delimited(line)
	case line == "+":
		a.flush()
		a.attached = true
	case len(a.lines) == 0 && len(line) > 1 && line[0] == '.' && line[1] != '.' && line[1] != ' ':
		a.w.Block()
		a.w.Line(a.one(line[1:]), number)
	default:
		a.text(line, number)
	}
}

// header reads what stands below the title: author and date.
func (a *asciidoc) header() {
	for range 2 {
		next := a.s.Peek(1)
		if next == "" || strings.HasPrefix(next, ":") || strings.HasPrefix(next, "=") {
			return
		}
		a.s.Skip(1)
		for part := range strings.SplitSeq(next, ",") {
			if d := draft.Date(part); len(d) == 10 && d[4] == '-' {
				a.w.Date(d)
			}
		}
	}
}

// attributes reads those of the block below.
func (a *asciidoc) attributes(list string) {
	parts := strings.Split(list, ",")
	switch strings.TrimSpace(parts[0]) {
	case "source", "listing", "literal", "":
		a.code = parts[0] != ""
		if len(parts) > 1 && !strings.Contains(parts[1], "=") {
			a.language = strings.TrimSpace(parts[1])
			a.code = true
		}
	}
	if _, cols, ok := strings.Cut(list, `cols="`); ok {
		cols, _, _ = strings.Cut(cols, `"`)
		a.columns = len(strings.Split(cols, ","))
		if n, _, ok := strings.Cut(cols, "*"); ok && len(n) == 1 {
			a.columns = int(n[0] - '0')
		}
	}
}

// delimiter returns the mark that a line consists of, if it delimits a block.
func delimiter(line string) byte {
	if line == "--" {
		return '-'
	}
	if len(line) >= 4 && strings.Trim(line, line[:1]) == "" && strings.Contains("-.=*_+", line[:1]) {
		return line[0]
	}
	return 0
}

// delimited reads a block of code; of others only the marks are left out.
func (a *asciidoc) delimited(line string) {
	number := a.s.Number()
	mark := delimiter(line)
	switch {
	case line[0] == '`':
		a.language = strings.TrimLeft(line, "`")
		line = line[:len(line)-len(a.language)]
	case mark == '+':
		a.until(line, nil)
		return
	case mark != '.' && (mark != '-' || line == "--" && !a.code):
		a.w.Block()
		return
	}
	if !a.attached {
		a.closeItems(0)
	}
	a.w.Code(a.language, 3)
	a.until(line, func(s string) { number++; a.w.CodeLine(s, number) })
	a.w.EndCode()
	a.language, a.code, a.attached = "", false, false
}

// until hands on the lines up to one that is like end.
func (a *asciidoc) until(end string, fn func(string)) {
	for a.s.Scan() && a.s.Text() != end && a.w.Err() == nil {
		if fn != nil {
			fn(a.s.Text())
		}
	}
}

// closeItems closes the items that are deeper than depth.
func (a *asciidoc) closeItems(depth int) {
	a.flush()
	if depth == 0 {
		clear(a.counts[:])
	}
	for len(a.open) > depth {
		a.w.EndItem()
		a.open = a.open[:len(a.open)-1]
	}
}

// text reads an item, a term, or a line of a paragraph.
func (a *asciidoc) text(line string, number int) {
	item := adocItem.FindStringSubmatch(line)
	term := adocTerm.FindStringSubmatch(line)
	switch {
	case item != nil && (len(a.lines) == 0 || len(a.open) > 0):
		mark := strings.TrimRight(item[1], "0123456789")
		a.openItem(mark, item[1])
		a.prose.add(item[2], number)
	case term != nil && len(a.prose.lines) == 0:
		a.openItem(term[2], "-")
		a.w.Line(a.one(term[1]), number)
		if term[3] != "" {
			a.prose.add(term[3], number)
		}
	case (a.code || line[0] == ' ') && len(a.lines) == 0 && a.blank && len(a.open) == 0:
		a.w.Code(a.language, 3)
		a.w.CodeLine(line, number)
		for a.s.More() && a.s.Peek(1) != "" {
			a.s.Scan()
			a.w.CodeLine(a.s.Text(), a.s.Number())
		}
		a.w.EndCode()
		a.code, a.language = false, ""
	default:
		if a.blank && !a.attached && len(a.lines) == 0 {
			a.closeItems(0)
		}
		a.prose.add(line, number)
		a.attached = false
	}
}

// openItem begins an item. One whose mark is open goes on with that list,
// another one begins a list within.
func (a *asciidoc) openItem(mark, written string) {
	depth := len(a.open)
	count := a.counts
	for i, m := range a.open {
		if m == mark {
			depth = i
			break
		}
	}
	a.closeItems(depth)
	if depth == 0 && len(count) > 0 {
		a.counts = count
	}
	if depth >= maxLists {
		a.closeItems(maxLists - 1)
	}
	depth = len(a.open)
	out := "-"
	if strings.HasSuffix(written, ".") {
		a.counts[depth]++
		if out = written; written[0] == '.' {
			out = draft.Number(a.counts[depth])
		}
	}
	clear(a.counts[depth+1:])
	a.open = append(a.open, mark)
	a.w.BeginItem(out)
}

// table reads rows up to the line that ends the table.
func (a *asciidoc) table(end string) {
	a.closeItems(0)
	var cells []string
	at := 0
	row := func() {
		a.w.Row(cells, at)
		cells = nil
	}
	columns := a.columns
	a.until(end, func(line string) {
		if line == "" {
			return
		}
		found, starts := cellsOf(line, end[:1])
		if !starts && len(cells) > 0 {
			cells[len(cells)-1] += " " + a.one(found[0])
			found = found[1:]
		}
		if columns == 0 {
			columns = len(found)
		}
		for _, c := range found {
			if len(cells) >= columns {
				row()
			}
			if len(cells) == 0 {
				at = a.s.Number()
			}
			cells = append(cells, a.one(c))
		}
	})
	row()
	a.columns = 0
	a.w.Block()
}

var adocCell = regexp.MustCompile(`(?:^|\s)(?:\d*(?:\.\d+)?[+*])?[<>^.]*[aehlmsdv]?$`)

// cellsOf cuts a line into cells, whose marks say how they look. starts says
// whether the first one begins in the line.
func cellsOf(line, bar string) (cells []string, starts bool) {
	cells = strings.Split(line, bar)
	for i := range cells[:len(cells)-1] {
		if at := adocCell.FindStringIndex(cells[i]); at != nil {
			cells[i] = cells[i][:at[0]]
		}
	}
	if len(cells) > 1 && strings.TrimSpace(cells[0]) == "" {
		return cells[1:], true
	}
	return cells, false
}
