package markup

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"hopstream/index/document/draft"
)

// maxManual is the most bytes of a manual page that is unpacked.
const maxManual = 16 << 20

// Roff reads the source of a manual page, which may be compressed, in the
// macros of man or of mdoc. A file without a page's title is passed over: many
// things are called .1.
func Roff(w *draft.Writer, from io.ReadSeeker) error {
	from, err := unpacked(from)
	if err != nil {
		return err
	}
	r := roff{w: w, s: draft.NewScanner(from)}
	for r.s.Scan() && w.Err() == nil {
		r.line(r.s.Text())
		if !r.page && r.s.Number() > 300 {
			break
		}
	}
	r.items(0)
	w.EndCode()
	if !r.page {
		return draft.PassedOver("is no manual page")
	}
	return r.s.Err()
}

// unpacked returns a file without compression.
func unpacked(from io.ReadSeeker) (io.ReadSeeker, error) {
	head := make([]byte, 2)
	n, _ := io.ReadFull(from, head)
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if n < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return from, nil
	}
	z, err := gzip.NewReader(from)
	if err != nil {
		return nil, fmt.Errorf("not readable as gzip: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(z, maxManual+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("not readable as gzip: %w: it may be cut off", err)
	case len(b) > maxManual:
		return nil, fmt.Errorf("unpacks to more than %d MB: this is no manual page", maxManual>>20)
	}
	return bytes.NewReader(b), nil
}

// roff reads a manual page.
type roff struct {
	w    *draft.Writer
	s    *draft.Scanner
	page bool // its title was read

	code   bool
	open   []bool // items; true for one that others may follow in its list
	base   []int  // how many items were open where a list began
	tag    bool   // the next line is the tag of the open item
	next   int    // level of the heading that the next line is
	skip   string // what ends the lines passed over
	braces int    // of a condition that does not hold
	held   bool   // the last condition did
	name   string // of the page, for mdoc
	lists  []mdocList

	filled []byte // text that is not yet a line
	since  int    // the line it began in
}

func (r *roff) line(line string) {
	switch {
	case r.skip != "":
		if line == r.skip {
			r.skip = ""
		}
		return
	case r.braces > 0:
		r.braces += strings.Count(line, `\{`) - strings.Count(line, `\}`)
		return
	}
	if line != "" && (line[0] == '.' || line[0] == '\'') && !strings.HasPrefix(line, "'''") {
		body := strings.TrimLeft(line[1:], " \t")
		name, rest, _ := strings.Cut(strings.ReplaceAll(body, "\t", " "), " ")
		r.request(name, rest)
		return
	}
	r.text(unescape(line))
}

// text writes a line of text.
func (r *roff) text(line string) {
	number := r.s.Number()
	switch {
	case r.next > 0:
		r.heading(r.next, line)
	case r.code:
		r.w.CodeLine(line, number)
	case strings.TrimSpace(line) == "":
		r.block()
	case !r.page:
	case r.tag:
		r.flush()
		r.w.Line(strings.TrimSpace(line), number)
	default:
		r.fill(strings.TrimSpace(line), number)
	}
	r.tag = false
}

// fill adds text to the line, since a sentence stands in as many lines of a page
// as it has words in another font. The line ends with the sentence.
func (r *roff) fill(text string, number int) {
	if len(r.filled) == 0 {
		r.since = number
	} else {
		r.filled = append(r.filled, ' ')
	}
	r.filled = append(r.filled, text...)
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") || len(r.filled) > maxFilled {
		r.flush()
	}
}

// maxFilled is the most bytes of a line that is put together.
const maxFilled = 2000

// flush writes the line.
func (r *roff) flush() {
	if len(r.filled) > 0 {
		r.w.Line(string(r.filled), r.since)
	}
	r.filled = r.filled[:0]
}

// block ends a paragraph.
func (r *roff) block() {
	r.flush()
	r.w.Block()
}

func (r *roff) heading(level int, text string) {
	r.flush()
	r.next = 0
	r.endCode()
	r.items(0)
	r.base, r.lists = nil, nil
	if text = strings.TrimSpace(text); text == "" {
		r.next = level
		return
	}
	// Below the title, which no heading is.
	r.w.Heading(level+1, text, r.s.Number())
}

// items closes items until n are open.
func (r *roff) items(n int) {
	r.flush()
	for len(r.open) > n {
		r.w.EndItem()
		r.open = r.open[:len(r.open)-1]
	}
}

// item begins an item, and ends the one before in its list.
func (r *roff) item(mark string) {
	r.endCode()
	r.items(r.floor())
	if len(r.open) < maxLists {
		r.w.BeginItem(mark)
		r.open = append(r.open, true)
	}
}

// floor is how many items the current list stands in.
func (r *roff) floor() int {
	if n := len(r.base); n > 0 {
		return r.base[n-1]
	}
	return 0
}

func (r *roff) nestIn() {
	r.flush()
	r.endCode()
	if len(r.base) < maxLists {
		r.base = append(r.base, len(r.open))
	}
}

func (r *roff) nestOut() {
	r.endCode()
	if n := len(r.base); n > 0 {
		r.items(r.base[n-1])
		r.base = r.base[:n-1]
	}
}

func (r *roff) startCode() {
	r.flush()
	if !r.code && r.page {
		r.code = true
		r.w.Code("", 3)
	}
}

func (r *roff) endCode() {
	if r.code {
		r.w.EndCode()
	}
	r.code = false
}

// condition reads .if, .ie and .el: a page is read as for a terminal.
func (r *roff) condition(name, rest string) {
	holds := !r.held
	if name != "el" {
		var test string
		rest = strings.TrimLeft(rest, " ")
		test, rest, _ = strings.Cut(rest, " ")
		holds = test == "n" || test == "!t"
		r.held = holds
	}
	rest = strings.TrimLeft(rest, " ")
	if holds {
		if rest = strings.TrimPrefix(rest, `\{`); strings.Trim(rest, `\ `) != "" {
			r.line(rest)
		}
		return
	}
	r.braces = max(strings.Count(rest, `\{`)-strings.Count(rest, `\}`), 0)
}

// table reads the rows of a table of tbl.
func (r *roff) table() {
	r.flush()
	r.endCode()
	sep, format := "\t", true
	var cells []string
	at, block := 0, false
	for r.s.Scan() && r.w.Err() == nil {
		line := r.s.Text()
		switch {
		case line == ".TE":
			r.w.Row(cells, at)
			r.w.Block()
			return
		case format:
			if _, tab, ok := strings.Cut(line, "tab("); ok && tab != "" {
				sep = tab[:1]
			}
			format = !strings.HasSuffix(line, ".")
			continue
		case block && !strings.HasPrefix(line, "T}"):
			cells[len(cells)-1] += " " + r.plain(line)
			continue
		case line == "" || strings.Trim(line, "_=") == "" || line[0] == '.':
			continue
		}
		first := !block
		if block {
			line, block = strings.TrimPrefix(strings.TrimPrefix(line, "T}"), sep), false
			if line == "" {
				continue
			}
		}
		if first {
			r.w.Row(cells, at)
			cells, at = nil, r.s.Number()
		}
		for cell := range strings.SplitSeq(line, sep) {
			if cell == "T{" {
				block, cell = true, ""
			}
			cells = append(cells, unescape(cell))
		}
	}
	r.w.Row(cells, at)
}

// plain is the text of a line within a table.
func (r *roff) plain(line string) string {
	if name, rest, _ := strings.Cut(line, " "); len(name) > 1 && name[0] == '.' {
		return unescape(strings.Join(arguments(rest), " "))
	}
	return unescape(line)
}
