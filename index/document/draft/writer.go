package draft

import (
	"strconv"
	"strings"

	"hopstream/messages"
)

// DefaultLimit is the most bytes of text in a part, but for its last line. With
// its places and escaped as JSON it stays below NATS's default payload of 1 MiB.
const DefaultLimit = 512 << 10

// Part is a document, or a stretch of one that is too long for one message.
type Part struct {
	Title, Date, Text string
	// Place has the path of the headings above the part, and where its lines
	// stand.
	messages.Place
}

// maxIndent is the most columns that an item is indented by.
const maxIndent = 24

// maxHeading is the longest heading in bytes; a longer one is a paragraph.
const maxHeading = 500

// Writer writes one document, in order. The line that methods ask for is that
// of the source, from 1; 0 where the source has none, and then the lines of the
// written text count. After an error of emit nothing more is written: Err says
// so, and loops over long input should ask it.
type Writer struct {
	emit  func(Part) error
	limit int
	err   error

	title, date string
	headings    bool // one was written, or became the title
	parts       int

	b      []byte
	n      int // lines in b
	cost   int // bytes of b as JSON
	before int // lines of earlier parts
	lines  messages.Lines
	pages  messages.Pages
	page   int
	last   int      // source line of the last line written
	start  []string // path at the start of b
	path   []string
	levels []int
	spots  spots

	gap    gap
	indent []int // widths of the open items
	mark   string
	fence  string // of the open block of code
	open   string // a fence not yet written
	blanks int    // blank lines of code not yet written
}

// gap is what stands before the next line.
type gap uint8

const (
	none gap = iota
	soft     // a blank line, unless another item of the list follows
	blank
)

// New returns a Writer that hands every part of at most about limit bytes to
// emit; zero means DefaultLimit.
func New(limit int, emit func(Part) error) *Writer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Writer{emit: emit, limit: limit}
}

// Err returns the error of emit.
func (w *Writer) Err() error { return w.err }

// Known returns the title, if there is one so far.
func (w *Writer) Known() string { return w.title }

// Title sets the title of the parts from here on. A blank one changes nothing.
func (w *Writer) Title(title string) {
	if title = oneLine(title); title != "" {
		w.title = title
	}
}

// Date sets the date that the document gives itself. What is no date changes
// nothing.
func (w *Writer) Date(date string) {
	if date = Date(date); date != "" {
		w.date = date
	}
}

// Heading writes a heading of a level, from 1. Without another title the first
// one becomes the title, if it is of level 1, and one that repeats the title is
// left out. Levels that are skipped close up.
func (w *Writer) Heading(level int, text string, line int) {
	text = oneLine(strings.TrimRight(text, " ¶#\t\n"))
	switch {
	case text == "" || w.err != nil:
		return
	case len(w.indent) > 0 || len(text) > maxHeading:
		w.Block()
		w.Line(text, line)
		w.Block()
		return
	case !w.headings && (w.title == "" && level <= 1 || repeats(w.title, text)):
		if w.title == "" {
			w.title = text
		}
		w.headings = true
		w.Block()
		return
	}
	w.headings = true
	n := len(w.levels)
	for n > 0 && (w.levels[n-1] >= level || n > 5) {
		n--
	}
	before := w.path
	w.levels = append(w.levels[:n:n], level)
	w.path = append(w.path[:n:n], strings.ReplaceAll(text, messages.HeadingSeparator, " > "))
	w.gap = blank
	w.space()
	w.spots.section = spot{len(w.b), w.n, before, ""}
	w.put(strings.Repeat("#", n+1)+" "+text, line)
	w.gap = blank
}

// repeats reports whether a heading only says what the title says, as pages do
// whose title goes on with the name of the site.
func repeats(title, heading string) bool {
	title, heading = strings.ToLower(title), strings.ToLower(heading)
	if rest, ok := strings.CutPrefix(title, heading); ok {
		return rest == "" || rest[0] < '0' && rest[0] != '\'' || rest[0] > 127
	}
	return false
}

// Block ends the block that was written: a blank line follows.
func (w *Writer) Block() {
	w.EndCode()
	if w.mark == "" {
		w.gap = blank
	}
}

// Line writes a line of running text. Lines are one paragraph until Block is
// called.
func (w *Writer) Line(text string, line int) {
	text = strings.TrimRight(clean(text), " \t")
	if text == "" || w.err != nil {
		return
	}
	if w.mark == "" {
		text = escape(text)
	}
	w.space()
	w.put(text, line)
}

// BeginItem begins an item of a list with a mark, "-" or a number with a point;
// what is written until EndItem belongs to it.
func (w *Writer) BeginItem(mark string) {
	w.EndCode()
	if w.gap == soft || len(w.indent) > 0 {
		w.gap = none
	} else {
		w.gap = blank
	}
	w.mark = mark
	w.indent = append(w.indent, len(mark)+1)
}

// EndItem ends the item that was begun last. What follows the list is a block
// of its own.
func (w *Writer) EndItem() {
	w.EndCode()
	if n := len(w.indent); n > 0 {
		w.indent = w.indent[:n-1]
	}
	w.mark, w.gap = "", soft
}

// Item writes an item of one line, depth levels below the outermost list.
func (w *Writer) Item(depth int, mark, text string, line int) {
	depth = min(depth, maxIndent/2)
	for range depth {
		w.indent = append(w.indent, 2)
	}
	w.BeginItem(mark)
	w.Line(text, line)
	w.EndItem()
	w.indent = w.indent[:len(w.indent)-depth]
}

// Number returns the mark of an item of a numbered list.
func Number(n int) string {
	if n < 0 || n > 9999 {
		return "-"
	}
	return strconv.Itoa(n) + "."
}

// Row writes a row of a table. A row of empty cells is left out.
func (w *Writer) Row(cells []string, line int) {
	var b strings.Builder
	some := false
	for _, c := range cells {
		c = oneLine(c)
		some = some || c != ""
		b.WriteString("| " + c)
		if c != "" {
			b.WriteByte(' ')
		}
	}
	if !some || w.err != nil {
		return
	}
	w.EndCode()
	w.mark = ""
	w.space()
	w.put(b.String()+"|", line)
}

// Code begins a block of code in a language, which may be empty, between ticks
// marks (at least three).
func (w *Writer) Code(language string, ticks int) {
	w.Block()
	w.open = strings.Repeat("`", max(3, min(ticks, 20))) + strings.Trim(oneLine(language), "`")
}

// CodeLine writes a line of code as it is.
func (w *Writer) CodeLine(text string, line int) {
	text = strings.TrimRight(clean(text), " \t")
	switch {
	case w.err != nil:
		return
	case text == "":
		w.blanks++
		return
	}
	if w.open != "" {
		w.space()
		if w.mark != "" && w.mark != "-" {
			w.put("", line) // the number of a step that is nothing but code
		}
		w.mark = ""
		w.put(w.open, max(line-1, min(w.last, line)))
		w.fence = w.open[:strings.LastIndexByte(w.open, '`')+1]
		w.open, w.blanks = "", 0
	}
	for ; w.blanks > 0; w.blanks-- {
		w.put("", line-w.blanks)
	}
	if body := strings.TrimSpace(text); strings.HasPrefix(body, w.fence) && strings.Trim(body, "`") == "" {
		text = strings.ReplaceAll(text, "`", "~")
	}
	w.put(text, line)
}

// EndCode ends a block of code, if one is open.
func (w *Writer) EndCode() {
	w.open, w.blanks = "", 0
	if w.fence == "" {
		return
	}
	fence := w.fence
	w.fence = ""
	w.put(fence, w.last+1)
	w.gap = blank
}

// InCode reports whether a block of code is open.
func (w *Writer) InCode() bool { return w.fence != "" || w.open != "" }

// Raw writes text that is already as messages.Document has it, such as that of
// a record. It begins at a line of its source, and each line of it is step
// further down.
func (w *Writer) Raw(text string, line, step int) {
	fence := ""
	for s := range strings.Lines(text) {
		s = strings.TrimRight(s, "\r\n\t ")
		body := strings.TrimSpace(s)
		level, title := headingOf(s)
		ticks := len(body) - len(strings.TrimLeft(body, "`"))
		switch {
		case w.err != nil:
			return
		case fence != "" && strings.HasPrefix(body, fence) && ticks == len(body):
			fence = ""
			w.EndCode()
		case fence != "":
			w.CodeLine(s, line)
		case body == "":
			w.Block()
			if strings.Contains(s, "\f") {
				w.Break()
			}
		case ticks >= 3 && !strings.Contains(body[ticks:], "`"):
			fence = body[:ticks]
			w.Code(body[ticks:], ticks)
		case level > 0:
			w.headings = true
			w.Heading(level, title, line)
		default:
			w.space()
			w.put(clean(s), line)
		}
		line += step
	}
	w.EndCode()
}

// Page says that what follows stands on page n, from 1.
func (w *Writer) Page(n int) { w.page = n }

// Break parts what was written from what follows: no passage holds both.
func (w *Writer) Break() {
	w.EndCode()
	w.gap = none
	if w.n == 0 || w.err != nil {
		return
	}
	w.put("\f", w.last+1)
	w.spots.section = spot{len(w.b), w.n, w.path, ""}
}

// Close hands on what is left. It returns the error of emit, and whether the
// document has any text.
func (w *Writer) Close() (written bool, err error) {
	w.EndCode()
	w.flush()
	return w.parts > 0, w.err
}
