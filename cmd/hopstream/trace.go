package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/cmd/internal/session"
)

func newTrace(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "trace QUESTION-ID",
		Short: "Show every stored message of a question, and its hops",
		Long: `Show every stored message of a question in order of time, and the hops of its
answer. Inner messages are kept for the trace retention (pipeline.retention), within
storage.trace_bytes.
The trace ID is where the question's spans are found, if they are exported
(tracing.endpoint).`,
		Example: "  hopstream trace q42",
		Args:    cli.Exactly(1, "one QUESTION-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return session.InspectQuestion(cmd.Context(), a, args[0], func(s *session.Session) error {
				trace, err := s.Log.Trace(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if asJSON {
					id := render.TraceID(s.Conn.Names, trace)
					for _, m := range trace {
						line := map[string]any{"trace_id": id, "subject": m.Subject, "time": m.Time, "sequence": m.Seq, "message": json.RawMessage(m.Data)}
						if !json.Valid(m.Data) {
							line["message"] = string(m.Data)
						}
						if err := cli.WriteJSON(a.Out, line); err != nil {
							return err
						}
					}
					return nil
				}
				return render.Trace(a.Out, s.Conn.Names, trace)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the messages as JSON lines")
	return cmd
}
