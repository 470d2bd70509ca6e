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
	var asJSON, watch bool
	var over time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show lag and rates per stage, open questions, dead letters, indexes, what is kept",
		Long: `Show how far stages and indexes are behind, and what is stored: how much of its
bound that is (storage.* in the configuration), how long it is kept at most, how old
the oldest of it is, and what one answer, trace or document takes.`,
		Example: "  hopstream status\n  hopstream status --watch --over 5s",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
				for {
					r, err := inspect.ReadStatus(cmd.Context(), s, over)
					if watch && cmd.Context().Err() != nil {
						return nil // as the user wished
					}
					if err == nil {
						err = showStatus(a, r, asJSON, watch)
					}
					if err != nil || !watch {
						return err
					}
				}
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&watch, "watch", false, "show it again and again, until a signal")
	cmd.Flags().DurationVar(&over, "over", time.Second, "measure the rates over this time")
	return cmd
}

// showStatus prints the status; one that is watched takes the place of the one
// before, on a terminal.
func showStatus(a *cli.App, r *inspect.Status, asJSON, watch bool) error {
	if asJSON {
		return cli.WriteJSON(a.Out, r)
	}
	if watch && cli.Terminal(a.Out) {
		fmt.Fprint(a.Out, "\x1b[H\x1b[2J")
	}
	return renderStatus(a, r)
}

func renderStatus(a *cli.App, r *inspect.Status) error {
	fmt.Fprintf(a.Out, "server %s · %d open · %d ended · %d dead · %d documents · %.1f MB stored\n\n",
		r.Server, r.Open, r.Answers, r.Dead, r.Documents, float64(r.Bytes)/1e6)
	if r.Paused.Paused {
		fmt.Fprintf(a.Out, "%s\n\n", r.Paused)
	}
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tin/s\tpending\tin work\tredelivered\tpulls\t")
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%s\t%.1f\t%d\t%d\t%d\t%d\t\n", s.Stage, s.Rate, s.Pending, s.AckPending, s.Redelivers, s.Waiting)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := renderKept(a, r); err != nil {
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

// renderKept prints what is stored, and what it costs.
func renderKept(a *cli.App, r *inspect.Status) error {
	fmt.Fprintln(a.Out)
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kept\tmessages\tMB\tof at most\tfull\tfor at most\toldest\tbytes each\t")
	for _, k := range r.Kept {
		most, full, age, oldest := "–", "–", "–", "–"
		if k.LimitBytes > 0 {
			most, full = fmt.Sprintf("%.0f", float64(k.LimitBytes)/1e6), fmt.Sprintf("%.1f %%", 100*k.Full)
		}
		if k.LimitSeconds > 0 {
			age = (time.Duration(k.LimitSeconds) * time.Second).String()
		}
		if k.Oldest != nil {
			oldest = time.Since(*k.Oldest).Round(time.Second).String()
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%s\t%s\t%s\t%s\t%.0f\t\n", k.Name, k.Messages, float64(k.Bytes)/1e6, most, full, age, oldest, k.Each)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Store.Limit == 0 {
		_, err := fmt.Fprintf(a.Out, "JetStream stores %.1f MB in all\n", float64(r.Store.Bytes)/1e6)
		return err
	}
	_, err := fmt.Fprintf(a.Out, "JetStream stores %.1f MB in all, of at most %.0f\n", float64(r.Store.Bytes)/1e6, float64(r.Store.Limit)/1e6)
	return err
}
