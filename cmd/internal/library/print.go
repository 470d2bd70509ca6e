package library

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"hopstream/cmd/internal/cli"
)

// style is how text is set off on a terminal; elsewhere it is not.
type style struct{ bold, dim, off string }

func styleOf(w io.Writer) style {
	if cli.Terminal(w) {
		return style{"\x1b[1m", "\x1b[2m", "\x1b[0m"}
	}
	return style{}
}

// PrintList prints documents as a table.
func PrintList(out io.Writer, all []Document) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "id\ttitle\tdate\tpassages\tbytes")
	for _, d := range all {
		fmt.Fprintf(w, "%s\t%.60s\t%s\t%d\t%d\n", oneLine(d.ID), oneLine(d.Title), oneLine(d.Date), d.Passages, d.Bytes)
	}
	return w.Flush()
}

// PrintWhole prints a document and how its passages begin.
func PrintWhole(out io.Writer, d *Whole) error {
	w, s := bufio.NewWriter(out), styleOf(out)
	fmt.Fprintf(w, "%s%s%s\n", s.bold, d.ID, s.off)
	for _, field := range [][2]string{{"title", d.Title}, {"date", d.Date}, {"root", d.Root}} {
		if field[1] != "" {
			fmt.Fprintf(w, "%-5s %s\n", field[0], oneLine(field[1]))
		}
	}
	fmt.Fprintf(w, "%s\n", cli.Plural(len(d.Passages), "passage"))
	for i := range d.Passages {
		p := &d.Passages[i]
		fmt.Fprintf(w, "\n%s%s%s%s\n  %s\n", s.bold, oneLine(p.ID), s.off, p.where(), excerpt(p.Text, nil, 120, "", ""))
	}
	return w.Flush()
}

// PrintNear prints a passage whole, and how those around it end and begin.
func PrintNear(out io.Writer, n *Near) error {
	w, s := bufio.NewWriter(out), styleOf(out)
	p := &n.Passage
	fmt.Fprintf(w, "%s%s%s%s\n", s.bold, oneLine(p.ID), s.off, p.where())
	if p.Title != "" {
		fmt.Fprintln(w, oneLine(p.Title))
	}
	for i := range n.Before {
		text := n.Before[i].Text
		cut := between(text, max(0, len(text)-160))
		if len(text) <= 160 {
			cut = 0
		}
		fmt.Fprintf(w, "\n%s%s: … %s%s\n", s.dim, oneLine(n.Before[i].ID), oneLine(text[cut:]), s.off)
	}
	fmt.Fprintf(w, "\n%s\n", strings.ReplaceAll(p.Text, "\x1b", "�"))
	for i := range n.After {
		fmt.Fprintf(w, "\n%s%s: %s%s\n", s.dim, oneLine(n.After[i].ID), excerpt(n.After[i].Text, nil, 160, "", ""), s.off)
	}
	return w.Flush()
}

// PrintFound prints what was found, the words of the query set off.
func PrintFound(out io.Writer, f *Found) error {
	w, s := bufio.NewWriter(out), styleOf(out)
	for _, reason := range f.Degraded {
		fmt.Fprintf(w, "! %s\n", oneLine(reason))
	}
	if len(f.Passages) == 0 {
		fmt.Fprintln(w, "(nothing found)")
	}
	for i := range f.Passages {
		h := &f.Passages[i]
		title := ""
		if h.Title != "" && h.Title != h.ID {
			title = oneLine(h.Title) + " "
		}
		at := oneLine(h.ID)
		if h.URL != "" {
			at = oneLine(h.URL)
		}
		fmt.Fprintf(w, "%d. %s%s(%s)%s%s · %.4g · %s\n", h.Rank, s.bold, title, at, s.off, h.where(), h.Score, strings.Join(h.By, ", "))
		fmt.Fprintf(w, "   %s\n", excerpt(h.Text, marks(f.Query, h.Text), 240, s.bold, s.off))
	}
	return w.Flush()
}

// where says where a passage stands: " · Approval › Dates · lines 12–20 · page 3".
func (p *Passage) where() string {
	out := ""
	if p.Heading != "" {
		out += " · " + oneLine(p.Heading)
	}
	switch {
	case p.Lines[0] > 0 && p.Lines[0] == p.Lines[1]:
		out += fmt.Sprintf(" · line %d", p.Lines[0])
	case p.Lines[0] > 0:
		out += fmt.Sprintf(" · lines %d–%d", p.Lines[0], p.Lines[1])
	}
	if p.Page > 0 {
		out += fmt.Sprintf(" · page %d", p.Page)
	}
	return out
}

// oneLine is s without line breaks, and without what moves a terminal's cursor.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "\x1b", "�")
}
