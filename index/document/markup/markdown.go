package markup

import (
	"bytes"
	"io"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"

	"hopstream/index/document/draft"
)

const (
	// pieceSize is from how many bytes on a piece of Markdown ends where a
	// block does; links whose address stands in another piece keep their mark.
	pieceSize = 256 << 10
	// maxPiece is the most bytes of a piece.
	maxPiece = 512 << 10
)

// markdownParser is built once, which costs as much as to parse a small file.
var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// Markdown reads Markdown as GitHub has it. A file of front matter alone is its
// summary, or passed over if it has none.
func Markdown(w *draft.Writer, from io.ReadSeeker) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	s := draft.NewScanner(from)
	f := frontMatter(s)
	w.Title(f.title)
	w.Date(f.date)
	m := markdown{w: w}
	some := false
	for s.Scan() && w.Err() == nil {
		some = some || s.Text() != ""
		m.line(s)
	}
	m.piece()
	if f.there && !some {
		if f.summary == "" {
			return draft.PassedOver("front matter only")
		}
		w.Raw(f.summary, 0, 0)
	}
	return s.Err()
}

// markdown reads pieces of Markdown.
type markdown struct {
	w *draft.Writer

	source  []byte
	starts  []int // of the lines of source
	numbers []int // of the same lines
	fence   string
	marks   int // in the paragraph so far
}

// maxMarks is the most marks of a paragraph that are understood: what they mean
// takes time with their square.
const maxMarks = 1500

// bounded counts the marks of a line, and takes out those beyond maxMarks.
func (m *markdown) bounded(text string) string {
	// A row or an item is a block of its own.
	text = shallow(text)
	if body := strings.TrimLeft(text, " \t"); body == "" || strings.ContainsRune("|-*+", rune(body[0])) {
		m.marks = 0
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '*', '_', '[', ']', '`', '<', '!', '~', '&', '\\':
			if m.marks++; m.marks > maxMarks {
				return -1
			}
		}
		return r
	}, text)
}

// line adds a line to the piece, which ends behind it if it is long enough.
func (m *markdown) line(s *draft.Scanner) {
	text := s.Text()
	m.fences(text)
	if m.fence == "" {
		text = m.bounded(plainTags(text))
	}
	m.starts, m.numbers = append(m.starts, len(m.source)), append(m.numbers, s.Number())
	m.source = append(append(m.source, text...), '\n')
	if n := len(m.source); n > maxPiece || n > pieceSize && m.fence == "" && text == "" && !indented(s.Peek(1)) {
		m.piece()
	}
}

func indented(s string) bool { return s == "" || s[0] == ' ' || s[0] == '\t' }

// fences notes whether the line opens or closes a block of code.
func (m *markdown) fences(text string) {
	body := strings.TrimLeft(text, " >")
	if m.fence != "" {
		if strings.HasPrefix(body, m.fence) && strings.Trim(body, m.fence[:1]) == "" {
			m.fence = ""
		}
		return
	}
	for _, mark := range []string{"```", "~~~"} {
		if n := len(body) - len(strings.TrimLeft(body, mark[:1])); n >= 3 && !strings.Contains(body[n:], "`") {
			m.fence = body[:n]
		}
	}
}

// plainTags takes the tags of site generators out of a line that has nothing
// else: {% tag %}, {{< tag >}}, :::tag.
func plainTags(text string) string {
	body := strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(body, "{%") && strings.HasSuffix(body, "%}"),
		strings.HasPrefix(body, "{{<") && strings.HasSuffix(body, ">}}"), strings.HasPrefix(body, "{{%") && strings.HasSuffix(body, "%}}"):
		return ""
	case strings.HasPrefix(body, ":::"):
		_, rest, _ := strings.Cut(strings.TrimLeft(body, ": "), " ")
		return strings.Trim(rest, "{}")
	}
	return text
}

// piece writes the piece.
func (m *markdown) piece() {
	if len(bytes.TrimSpace(m.source)) > 0 {
		m.children(markdownParser.Parse(gmtext.NewReader(m.source)))
	}
	m.source, m.starts, m.numbers = m.source[:0], m.starts[:0], m.numbers[:0]
}

// number returns the number of the line that an offset is in.
func (m *markdown) number(at int) int {
	i := sort.SearchInts(m.starts, at+1) - 1
	return m.numbers[min(max(i, 0), len(m.numbers)-1)]
}

// maxNested is the most marks of quotes and items that a line begins with.
const maxNested = 100

// shallow cuts marks that a line begins with beyond maxNested.
func shallow(text string) string {
	n := 0
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t':
		case '>', '-', '*', '+':
			if n++; n > maxNested {
				return text[:i] + " " + strings.TrimLeft(text[i:], " \t>-*+")
			}
		default:
			return text
		}
	}
	return text
}
