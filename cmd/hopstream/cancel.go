package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/stages/log"
)

func newCancel(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "cancel QUESTION-ID",
		Short:   "Stop an open question",
		Long:    "End an open question as cancelled, and stop the work on it.",
		Example: "  hopstream cancel q42",
		Args:    cli.Exactly(1, "one QUESTION-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return session.InspectQuestion(cmd.Context(), a, args[0], func(s *session.Session) error {
				answer, err := s.Cancel(cmd.Context(), args[0])
				if errors.Is(err, log.ErrStored) {
					return fmt.Errorf("question %s has ended already: %s", args[0], answer.Status)
				}
				if errors.Is(err, log.ErrNotFound) {
					return fmt.Errorf("question %s is not open: it was never asked, or ended long ago", args[0])
				}
				if err != nil {
					return err
				}
				fmt.Fprintln(a.Out, "cancelled", args[0])
				return s.Conn.NC.Flush()
			})
		},
	}
}
