package render

import (
	"fmt"
	"io"
	"text/tabwriter"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// TraceID returns the ID of the OpenTelemetry trace of a question, as one of its
// stored messages names it; empty where none does.
func TraceID(names messages.Names, stored []*log.Stored) string {
	for _, st := range stored {
		id := tracing.ID(st.Header.Get(log.TraceHeader))
		if m, err := st.Decode(names); err == nil && id == "" {
			switch m := m.(type) {
			case *messages.Answer:
				id = tracing.ID(m.Trace)
			case messages.Carrier:
				id = tracing.ID(m.Meta().Trace)
			}
		}
		if id != "" {
			return id
		}
	}
	return ""
}

// Trace prints a line for every stored message of a question, in order of
// time, and then its answer with the hops, or that it is still open.
func Trace(out io.Writer, names messages.Names, trace []*log.Stored) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	start := trace[0].Time
	var answer *messages.Answer
	var aligned []*messages.Generate
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
			switch m := m.(type) {
			case *messages.Answer:
				answer = m
			case *messages.Generate:
				aligned = append(aligned, m)
			}
		}
		fmt.Fprintf(w, "%8.1f ms\t%s\t%s\t%d B\t%s\n", float64(st.Time.Sub(start).Microseconds())/1000, kind, at, len(st.Data), what)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if id := TraceID(names, trace); id != "" {
		fmt.Fprintln(out, "trace ID "+id)
	}
	for _, m := range aligned {
		spans(out, m)
	}
	if answer == nil {
		fmt.Fprintln(out, "still open")
		return nil
	}
	fmt.Fprintln(out)
	return Answer(out, answer, true)
}

// spans prints the stretches of passages that an alignment found for a
// sub-query, best first:
//
//	aligned for 1.1  Where was Marie Curie born?
//	  marie-curie, 0–41, scale 150, score 0.83: “Marie Curie was born in Warsaw …”
func spans(out io.Writer, m *messages.Generate) {
	if len(m.Spans) == 0 {
		return
	}
	fmt.Fprintf(out, "\naligned for %d.%d  %s\n", m.Round, m.Branch, oneLine(m.Query))
	for _, s := range m.Spans {
		if s.Passage < 0 || s.Passage >= len(m.Passages) {
			continue // of another writer's message
		}
		p := &m.Passages[s.Passage]
		from := min(max(s.From, 0), len(p.Text))
		to := min(max(s.To, from), len(p.Text))
		fmt.Fprintf(out, "  %s, %d–%d, scale %d, score %.2f: “%s”\n", plain(p.ID), s.From, s.To, s.Scale, s.Score, short(p.Text[from:to]))
	}
}

// maxShown is how many characters of a span a trace shows.
const maxShown = 160

// short is the beginning of a text, in one line.
func short(text string) string {
	runes := []rune(oneLine(text))
	if len(runes) <= maxShown {
		return string(runes)
	}
	return string(runes[:maxShown]) + " …"
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
		return cli.Plural(len(m.Passages), "passage") + forQueries(m)
	case *messages.Align:
		return cli.Plural(len(m.Passages), "passage")
	case *messages.Generate:
		if m.Branch == 0 {
			return "from " + cli.Plural(len(m.Pairs), "pair")
		}
		switch {
		case len(m.Spans) > 0:
			return cli.Plural(len(m.Passages), "passage") + ", " + cli.Plural(len(m.Spans), "span")
		case len(m.Passages) > 0:
			return cli.Plural(len(m.Passages), "passage")
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
