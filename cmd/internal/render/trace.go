package render

import (
	"fmt"
	"io"
	"text/tabwriter"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
	"hopstream/stages/log"
)

// Trace prints a line for every stored message of a question, in order of
// time, and then its answer with the hops, or that it is still open.
func Trace(out io.Writer, names messages.Names, trace []*log.Stored) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	start := trace[0].Time
	var answer *messages.Answer
	for _, st := range trace {
		kind, key, err := names.Parse(st.Subject)
		if err != nil {
			return err
		}
		at, what := "", ""
		if key.Round > 0 {
			at = fmt.Sprint(key.Round)
		}
		if key.Branch > 0 {
			at += fmt.Sprintf(".%d", key.Branch)
		}
		if m, err := st.Decode(names); err != nil {
			what = "unreadable: " + cli.OneLine(err)
		} else {
			what = summary(m)
			if an, ok := m.(*messages.Answer); ok {
				answer = an
			}
		}
		fmt.Fprintf(w, "%8.1f ms\t%s\t%s\t%d B\t%s\n", float64(st.Time.Sub(start).Microseconds())/1000, kind, at, len(st.Data), what)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if answer == nil {
		fmt.Fprintln(out, "still open")
		return nil
	}
	fmt.Fprintln(out)
	return Answer(out, answer, true)
}

// summary says in a few words what a message holds.
func summary(m messages.Message) string {
	switch m := m.(type) {
	case *messages.Question:
		return m.Question
	case *messages.Decompose:
		return string(m.Class)
	case *messages.Plan:
		return fmt.Sprintf("%q", m.Queries)
	case *messages.Retrieve:
		return m.Query
	case *messages.Filter:
		return cli.Plural(len(m.Passages), "passage")
	case *messages.Align:
		return cli.Plural(len(m.Passages), "passage")
	case *messages.Generate:
		if m.Branch == 0 {
			return "from " + cli.Plural(len(m.Pairs), "pair")
		}
		return cli.Plural(len(m.Windows), "window")
	case *messages.Subanswer:
		if m.Pair.Failed {
			return "failed: " + m.Pair.Error
		}
		return orNone(m.Pair.Answer)
	case *messages.Judge:
		return cli.Plural(len(m.Pairs), "pair")
	case *messages.Answer:
		return string(m.Status)
	case *messages.Dead:
		return m.Error
	}
	return ""
}
