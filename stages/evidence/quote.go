package evidence

import (
	"strings"
	"unicode/utf8"

	"hopstream/index/document/blocks"
	"hopstream/messages"
)

// Quote returns the bytes [from, to) of a passage's text as evidence: with the
// heading they stand under, the lines of the document's file or its page, and
// their place in characters. The stretch must be one of whole characters.
func Quote(p *messages.Passage, from, to int) messages.Evidence {
	first := strings.Count(p.Text[:from], "\n")
	last := first + strings.Count(p.Text[from:to], "\n")
	e := messages.Evidence{
		ID: p.ID, Title: p.Title, URL: p.URL, Heading: headingAt(p, from), Quote: p.Text[from:to],
		Page:  p.Pages.At(first),
		Start: utf8.RuneCountInString(p.Text[:from]),
	}
	e.End = e.Start + utf8.RuneCountInString(e.Quote)
	if at := p.Lines.At(first); at > 0 {
		e.Lines = [2]int{at, max(at, p.Lines.At(last))}
	}
	return e
}

// headingAt returns the path of the headings above a place in a passage.
func headingAt(p *messages.Passage, at int) string {
	if !strings.Contains(p.Text[:at], "#") {
		return p.Heading
	}
	path := blocks.PathOf(p.Heading)
	for i, b := range blocks.Parse(p.Text) {
		switch {
		case b.Start > at:
			return path.String()
		case b.Kind == blocks.Heading && i > 0: // the first one is part of the passage's own path
			path.Enter(b.Title(p.Text), b.Level)
		}
	}
	return path.String()
}

// grown returns [from, to) of a passage's text grown to whole units, and to the
// whole block of code that holds it where that is not too long.
func grown(text string, from, to int) (int, int) {
	units := blocks.Units(text, blocks.Parse(text))
	start, end := from, to
	for _, u := range units {
		if u.End <= from || u.Start >= to || u.End-u.Start > longest && u.Kind == blocks.Code {
			continue
		}
		start, end = min(start, u.Start), max(end, u.End)
	}
	return start, end
}
