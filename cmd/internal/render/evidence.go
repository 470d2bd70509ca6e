package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"hopstream/index/document/blocks"
	"hopstream/messages"
)

// evidence prints the quotes that an answer rests on, each with where it
// stands:
//
//	“The chapter was written by Mina Quist.”
//	  — handbook/safety.md#3, Approval › Dates, lines 41–44
func (v View) evidence(w io.Writer, a *messages.Answer) {
	switch {
	case a.Answer == "":
	case len(a.Evidence) > 0:
		for i := range a.Evidence {
			v.quote(w, "  ", &a.Evidence[i], a.Answer, a.Claims)
		}
	case a.Class == messages.Straightforward && len(a.Hops) == 0:
		fmt.Fprintln(w, "  (no document was asked)")
	default:
		fmt.Fprintln(w, "  (no evidence)")
	}
}

// quote prints one quote behind indent, with the words of the answer and its
// claims marked.
func (v View) quote(w io.Writer, indent string, e *messages.Evidence, answer string, claims []messages.Claim) {
	text := shown(e.Quote)
	if v.Styled {
		phrases := []string{answer}
		for _, c := range claims {
			phrases = append(phrases, c.Text)
		}
		text = mark(text, phrases)
	}
	if strings.Contains(text, "\n") {
		for line := range strings.Lines(text) {
			fmt.Fprintf(w, "%s  │ %s\n", indent, strings.TrimRight(line, "\n"))
		}
	} else {
		fmt.Fprintf(w, "%s“%s”\n", indent, text)
	}
	fmt.Fprintf(w, "%s  — %s\n", indent, v.place(e))
}

// place says where a quote stands: passage, heading, lines, page. On a
// terminal the passage links to its page or file, where that is known.
func (v View) place(e *messages.Evidence) string {
	at := plain(e.ID)
	if e.URL != "" {
		at = plain(e.URL)
	}
	out := at
	if v.Styled {
		out = link(v.target(e), at)
	}
	switch {
	case e.Heading != "":
		out += ", " + oneLine(e.Heading)
	case e.Title != "" && e.Title != at:
		out += " (" + oneLine(e.Title) + ")"
	}
	switch first, last := e.Lines[0], e.Lines[1]; {
	case first > 0 && last > first:
		out += fmt.Sprintf(", lines %d–%d", first, last)
	case first > 0:
		out += fmt.Sprintf(", line %d", first)
	}
	if e.Page > 0 {
		out += fmt.Sprintf(", page %d", e.Page)
	}
	return out
}

// shown is a quote as it is printed: in one line, with headings as "Heading:",
// but for what has lines of its own, code and tables.
func shown(quote string) string {
	quote = plain(quote)
	asIs := strings.Trim(quote, "\r\n")
	for line := range strings.Lines(asIs) {
		// The quote may begin inside of code, behind the mark that opens it.
		if strings.HasPrefix(strings.TrimSpace(line), "```") || strings.HasPrefix(line, "\t") {
			return asIs
		}
	}
	var out []string
	for _, b := range blocks.Parse(quote) {
		switch b.Kind {
		case blocks.Code, blocks.Table:
			return asIs
		case blocks.Heading:
			out = append(out, oneLine(b.Title(quote))+":")
		case blocks.Break:
		default:
			out = append(out, oneLine(quote[b.Start:b.End]))
		}
	}
	return strings.Join(out, " ")
}

// oneLine is text in one line, without what a terminal would obey.
func oneLine(text string) string { return strings.Join(strings.Fields(plain(text)), " ") }

// plain is text without characters that a terminal would obey: documents are
// written by others. Tabs and ends of lines stay.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, text)
}
