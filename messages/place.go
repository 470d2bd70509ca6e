package messages

import (
	"sort"
	"strings"

	"github.com/goccy/go-json"
)

// Place says where a text stands in its document, as far as that is known.
type Place struct {
	// Heading is the path of the sections that the text begins in, outermost
	// first, such as "Approval › Dates". A heading that the text begins with
	// is its last part.
	Heading string `json:"heading,omitempty"`
	// Lines and Pages say where the lines of the text stand in its file.
	Lines Lines `json:"lines,omitempty"`
	Pages Pages `json:"pages,omitempty"`
}

// HeadingSeparator stands between the parts of a heading's path.
const HeadingSeparator = " › "

// Lines are pairs of a line of a text, from 0, and the line of its file, from
// 1, in ascending order. From one pair to the next both go on line by line.
type Lines [][2]int

// At returns the line of the file at which line n of the text stands; 0 where
// that is unknown.
func (l Lines) At(n int) int {
	i := last(l, n)
	if i < 0 {
		return 0
	}
	return l[i][1] + n - l[i][0]
}

// Slice returns the lines of the text from line from up to before line to,
// counted from 0 again.
func (l Lines) Slice(from, to int) Lines {
	i := last(l, from)
	if i < 0 {
		i = 0
	}
	var out Lines
	for ; i < len(l) && l[i][0] < to; i++ {
		at := max(l[i][0], from)
		out = append(out, [2]int{at - from, l[i][1] + at - l[i][0]})
	}
	return out
}

// Pages are pairs of a line of a text, from 0, and the page, from 1, that
// begins with it, in ascending order. A page goes on until the next pair.
type Pages [][2]int

// At returns the page on which line n of the text stands; 0 where that is
// unknown.
func (p Pages) At(n int) int {
	i := last(p, n)
	if i < 0 {
		return 0
	}
	return p[i][1]
}

// Slice returns the pages of the lines from from up to before to, counted from
// 0 again.
func (p Pages) Slice(from, to int) Pages {
	i := last(p, from)
	if i < 0 {
		i = 0
	}
	var out Pages
	for ; i < len(p) && p[i][0] < to; i++ {
		out = append(out, [2]int{max(p[i][0]-from, 0), p[i][1]})
	}
	return out
}

// Above returns the headings that p stands under, outermost first, a line each;
// without the one that its text begins with.
func (p *Passage) Above() string {
	if p.Heading == "" {
		return ""
	}
	parts := strings.Split(p.Heading, HeadingSeparator)
	if last := len(parts) - 1; begins(p.Text, parts[last]) {
		parts = parts[:last]
	}
	return strings.Join(parts, "\n")
}

// Searched returns what p is searched by beside its title: its text, and before
// it the headings above it.
func (p *Passage) Searched() string {
	if above := p.Above(); above != "" {
		return above + "\n" + p.Text
	}
	return p.Text
}

// begins reports whether the first line of text is the heading that a path names
// title.
func begins(text, title string) bool {
	if !strings.HasPrefix(text, "#") {
		return false
	}
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "#"))
	return strings.ReplaceAll(line, HeadingSeparator, " > ") == title
}

// PackPlace returns p as compact JSON, as stores keep it; empty if nothing is
// known of the place.
func PackPlace(p Place) string {
	if p.Heading == "" && len(p.Lines) == 0 && len(p.Pages) == 0 {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // a text and numbers
	}
	return string(b)
}

// UnpackPlace is the inverse of PackPlace. What it cannot read is a place of which
// nothing is known.
func UnpackPlace(s string) Place {
	if s == "" {
		return Place{}
	}
	p := new(Place)
	if json.Unmarshal([]byte(s), p) != nil {
		return Place{}
	}
	return *p
}

// last returns the index of the last pair at or before line n, or -1.
func last(pairs [][2]int, n int) int {
	return sort.Search(len(pairs), func(i int) bool { return pairs[i][0] > n }) - 1
}
