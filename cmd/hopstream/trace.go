package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
	"hopstream/stages/log"
)

func newTrace(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "trace QUESTION-ID",
		Short: "Show every stored message of a question, and its hops",
		Long: `Show every stored message of a question in order of time, and the hops of its
answer. Inner messages are kept for the trace retention (pipeline.retention).`,
		Example: "  hopstream trace q42",
		Args:    cli.Exactly(1, "one QUESTION-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inspectQuestion(a, cmd, args[0], func(s *session) error {
				trace, err := s.log.Trace(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if asJSON {
					for _, m := range trace {
						line := map[string]any{"subject": m.Subject, "time": m.Time, "sequence": m.Seq, "message": json.RawMessage(m.Data)}
						if !json.Valid(m.Data) {
							line["message"] = string(m.Data)
						}
						if err := cli.WriteJSON(a.Out, line); err != nil {
							return err
						}
					}
					return nil
				}
				return renderTrace(a, trace, s)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the messages as JSON lines")
	return cmd
}

func renderTrace(a *cli.App, trace []*log.Stored, s *session) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	start := trace[0].Time
	var answer *messages.Answer
	for _, st := range trace {
		kind, key, err := s.conn.Names.Parse(st.Subject)
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
		if m, err := st.Decode(s.conn.Names); err != nil {
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
		fmt.Fprintln(a.Out, "still open")
		return nil
	}
	fmt.Fprintln(a.Out)
	return renderAnswer(a.Out, answer, true)
}

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
