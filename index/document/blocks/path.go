package blocks

import (
	"strings"

	"hopstream/messages"
)

// Path is the headings above a place in a text, outermost first.
type Path struct {
	titles []string
	levels []int
}

// PathOf returns the path that messages.Place.Heading says.
func PathOf(heading string) Path {
	var p Path
	if heading == "" {
		return p
	}
	for i, title := range strings.Split(heading, messages.HeadingSeparator) {
		p.titles, p.levels = append(p.titles, title), append(p.levels, i+1)
	}
	return p
}

// Enter adds a heading, which ends those of its level and deeper ones.
func (p *Path) Enter(title string, level int) {
	n := len(p.levels)
	for n > 0 && p.levels[n-1] >= level {
		n--
	}
	title = strings.ReplaceAll(title, messages.HeadingSeparator, " > ")
	p.titles, p.levels = append(p.titles[:n:n], title), append(p.levels[:n:n], level)
}

// String is the path as messages.Place.Heading says it.
func (p *Path) String() string { return strings.Join(p.titles, messages.HeadingSeparator) }
