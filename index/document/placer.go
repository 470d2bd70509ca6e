package document

import (
	"strings"

	"hopstream/index/document/blocks"
	"hopstream/messages"
)

// placer tells where pieces stand; it is asked in their order.
type placer struct {
	text  string
	place messages.Place
	moved int
	path  blocks.Path

	at, line int // a place in the text and the line it is in
}

func (p *placer) of(c piece) messages.Place {
	if c.start < p.at { // an overlap
		p.line -= strings.Count(p.text[c.start:p.at], "\n")
	} else {
		p.line += strings.Count(p.text[p.at:c.start], "\n")
	}
	p.at = c.start
	from, to := p.line-p.moved, p.line-p.moved+1+strings.Count(p.text[c.start:c.end], "\n")
	var out messages.Place
	switch {
	case len(p.place.Lines) > 0:
		out.Lines = p.place.Lines.Slice(max(from, 0), to)
	default: // of the document's own text
		out.Lines = messages.Lines{{0, max(from, 0) + 1}}
	}
	out.Pages = p.place.Pages.Slice(max(from, 0), to)
	for i, h := range c.headings {
		if h.Start > c.start {
			out.Heading = p.path.String()
			for _, h := range c.headings[i:] {
				p.path.Enter(h.Title(p.text), h.Level)
			}
			return out
		}
		p.path.Enter(h.Title(p.text), h.Level)
	}
	out.Heading = p.path.String()
	return out
}
