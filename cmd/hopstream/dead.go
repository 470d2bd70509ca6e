package main

import (
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/session"
)

func newDead(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead",
		Short: "List, show, replay or purge dead letters",
		Long: `What a stage cannot process is put, whole and with the reason, into the
dead-letter stream; its question has ended as failed. Letters are named by
their number.

Replaying a question's letter asks the question again under a new ID, since an
ID has exactly one answer; replaying a document's stores the document again. A
letter that was replayed is removed.`,
		Args: cli.Exactly(0, "one of ls, show, replay, purge"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Usagef("dead wants one of ls, show, replay, purge (see: hopstream dead --help)")
		},
	}
	cmd.AddCommand(newDeadLs(a), newDeadShow(a), newDeadReplay(a), newDeadPurge(a))
	return cmd
}

func numbers(args []string) ([]uint64, error) {
	var out []uint64
	for _, arg := range args {
		n, err := strconv.ParseUint(arg, 10, 64)
		if err != nil || n == 0 {
			return nil, cli.Usagef("%q is no letter's number (see: hopstream dead ls)", arg)
		}
		out = append(out, n)
	}
	return out, nil
}

// withLetters runs fn over the letters named by args; all says whether no
// args mean every letter.
func withLetters(a *cli.App, cmd *cobra.Command, args []string, all bool, fn func(*session.Session, []inspect.Letter) error) error {
	nums, err := numbers(args)
	if err != nil {
		return err
	}
	if len(nums) == 0 && !all {
		return cli.Usagef("%s wants the NUMBERs of letters (see: hopstream dead ls, %s --help)", cmd.CommandPath(), cmd.CommandPath())
	}
	return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
		found, err := inspect.Letters(cmd.Context(), s, nums)
		if err != nil {
			return err
		}
		return fn(s, found)
	})
}

func newDeadLs(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the dead letters", Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withLetters(a, cmd, nil, true, func(_ *session.Session, all []inspect.Letter) error {
				if asJSON {
					return cli.WriteJSONLines(a.Out, all)
				}
				w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "number\ttime\tstage\tof\tdeliveries\terror")
				for _, l := range all {
					fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%.120s\n", l.Number, l.At.Local().Format(time.DateTime), l.Stage, l.ID, l.Deliveries, cli.OneLine(errors.New(l.Error)))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON lines")
	return cmd
}

func newDeadShow(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER...", Short: "Show letters whole", Example: "  hopstream dead show 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLetters(a, cmd, args, false, func(_ *session.Session, found []inspect.Letter) error {
				for _, l := range found {
					fmt.Fprintf(a.Out, "letter %d of stage %s, %s, after %d deliveries\nsubject %s\nerror   %s\n%s\n",
						l.Number, l.Stage, l.At.Format(time.RFC3339), l.Deliveries, l.Subject, l.Error, l.Text)
				}
				return nil
			})
		},
	}
}

func newDeadReplay(a *cli.App) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "replay NUMBER...", Short: "Ask the letters' questions again, under new IDs",
		Example: "  hopstream dead replay 3 4\n  hopstream dead replay --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLetters(a, cmd, args, all, func(s *session.Session, found []inspect.Letter) error {
				failed := false
				for _, l := range found {
					what, err := inspect.Replay(cmd.Context(), s, l)
					if err == nil {
						err = inspect.RemoveLetter(cmd.Context(), s, l)
					}
					if err != nil {
						failed = true
						a.Complain("letter %d: %s", l.Number, cli.OneLine(err))
						continue
					}
					fmt.Fprintf(a.Out, "%d\t%s\n", l.Number, what)
				}
				if failed {
					return cli.ErrSilent
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every letter")
	return cmd
}

func newDeadPurge(a *cli.App) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "purge NUMBER...", Short: "Remove letters", Example: "  hopstream dead purge --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLetters(a, cmd, args, all, func(s *session.Session, found []inspect.Letter) error {
				for _, l := range found {
					if err := inspect.RemoveLetter(cmd.Context(), s, l); err != nil {
						return fmt.Errorf("letter %d: %w", l.Number, err)
					}
				}
				fmt.Fprintln(a.Out, cli.Plural(len(found), "letter"), "removed")
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every letter")
	return cmd
}
