package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/session"
)

func newLs(a *cli.App) *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List questions, newest first, and how they ended",
		Long: `List the questions that were asked or ended last, newest first: those that are
open, and those whose answer is kept.`,
		Example: "  hopstream ls --limit 100",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return cli.Usagef("--limit %d: at least 1", limit)
			}
			return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
				all, err := inspect.Questions(cmd.Context(), s, limit)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.WriteJSONLines(a.Out, all)
				}
				w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "time\tid\tstatus\tclass\tquestion")
				for _, q := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.80q\n", q.At.Local().Format(time.DateTime), q.ID, q.Status, q.Class, q.Question)
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "questions at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON lines")
	return cmd
}
