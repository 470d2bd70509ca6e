package main

import (
	"cmp"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/session"
)

func newStatus(a *cli.App) *cobra.Command {
	var asJSON bool
	var over time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show lag and rates per stage, open questions, dead letters, indexes",
		Args:  cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
				r, err := inspect.ReadStatus(cmd.Context(), s, over)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.WriteJSON(a.Out, r)
				}
				return renderStatus(a, r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().DurationVar(&over, "over", time.Second, "measure the rates over this time")
	return cmd
}

func renderStatus(a *cli.App, r *inspect.Status) error {
	fmt.Fprintf(a.Out, "server %s · %d open · %d ended · %d dead · %d documents · %.1f MB stored\n\n",
		r.Server, r.Open, r.Answers, r.Dead, r.Documents, float64(r.Bytes)/1e6)
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tin/s\tpending\tin work\tredelivered\tpulls\t")
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%s\t%.1f\t%d\t%d\t%d\t%d\t\n", s.Stage, s.Rate, s.Pending, s.AckPending, s.Redelivers, s.Waiting)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range r.Indexes {
		fmt.Fprintf(a.Out, "\nindex %s: %s, %d documents, %d passages, at %d, %d behind", p.Node, cmp.Or(p.State, "state unknown"), p.Documents, p.Passages, p.Sequence, p.Behind)
	}
	if len(r.Indexes) > 0 {
		fmt.Fprintln(a.Out)
	}
	return nil
}
