package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"hopstream/index/document/draft"
)

// sheet is a page's lines.
type sheet struct {
	page  int
	lines []line
}

// setter writes pages. What is a heading is told by the sizes of the first ones,
// which it holds until it has seen enough.
type setter struct {
	w     *draft.Writer
	held  []sheet
	body  float64   // size of the text
	sizes []float64 // of headings, the largest first
	item  float64   // where the open item begins; -1 if none is open
}

// maxHeld is from how many pages the sizes are told.
const maxHeld = 20

func (s *setter) add(p sheet) {
	if s.body > 0 {
		s.write(p)
		return
	}
	if s.held = append(s.held, p); len(s.held) >= maxHeld {
		s.finish()
	}
}

// finish writes the pages that are held.
func (s *setter) finish() {
	if s.body == 0 {
		s.measure()
	}
	for _, p := range s.held {
		s.write(p)
	}
	s.held = nil
	s.closeItem()
}

// measure finds the size of the text, and those of headings.
func (s *setter) measure() {
	count := map[float64]int{}
	for _, p := range s.held {
		for _, l := range p.lines {
			count[l.size] += utf8.RuneCountInString(l.text)
		}
	}
	most := 0
	for size, n := range count {
		if n > most || n == most && size < s.body {
			most, s.body = n, size
		}
	}
	for size := range count {
		if size >= 1.12*s.body {
			s.sizes = append(s.sizes, size)
		}
	}
	slices.Sort(s.sizes)
	slices.Reverse(s.sizes)
	s.item = -1
}

// level returns the level of the heading that a line is, or 0.
func (s *setter) level(l line) int {
	if l.size < 1.12*s.body || utf8.RuneCountInString(l.text) > 150 || strings.Contains(l.text, leader) || !strings.ContainsFunc(l.text, func(r rune) bool { return r > '9' }) {
		return 0
	}
	for i, size := range s.sizes {
		if l.size >= size {
			return i + 1
		}
	}
	return len(s.sizes) + 1
}

func (s *setter) write(p sheet) {
	s.w.Page(p.page)
	for i := 0; i < len(p.lines); i++ {
		l := p.lines[i]
		if level := s.level(l); level > 0 {
			s.closeItem()
			for i+1 < len(p.lines) && p.lines[i+1].size == l.size && len(l.text) < 150 && math.Abs(p.lines[i+1].y-l.y) < 2*l.size {
				i++ // a heading of several lines
				l.text, l.y = l.text+" "+p.lines[i].text, p.lines[i].y
			}
			s.w.Heading(level, l.text, 0)
			continue
		}
		if i > 0 && math.Abs(p.lines[i-1].y-l.y) > 1.6*math.Max(l.size, 1) || l.text == "" {
			s.w.Block()
		}
		s.text(l)
	}
}

// text writes a line of a paragraph or an item.
func (s *setter) text(l line) {
	mark, rest := itemMark(l.text)
	switch {
	case mark != "":
		s.closeItem()
		s.w.BeginItem(mark)
		s.item = l.x
		l.text = rest
	case s.item >= 0 && l.x <= s.item+1:
		s.closeItem()
	}
	s.w.Line(l.text, 0)
}

func (s *setter) closeItem() {
	if s.item >= 0 {
		s.w.EndItem()
	}
	s.item = -1
}

// itemMark returns the mark of an item, and what follows it.
func itemMark(text string) (mark, rest string) {
	first, n := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("•◦▪‣●○■∙·–\uf0b7\uf0a7\uFFFD", first) && strings.HasPrefix(text[n:], " ") {
		return "-", strings.TrimSpace(text[n:])
	}
	head, rest, ok := strings.Cut(text, " ")
	if ok && len(head) <= 4 && len(head) >= 2 && strings.HasSuffix(head, ".") && strings.Trim(head[:len(head)-1], "0123456789") == "" {
		return head, rest
	}
	return "", ""
}
