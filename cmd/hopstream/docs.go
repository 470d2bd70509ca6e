package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/library"
)

func newDocs(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "List and show the indexed documents",
		Long: `List and show the documents that are stored, and the passages that they are cut
into. It reads the document stream, so it works with every index, also while
workers run.`,
		Example: "  hopstream docs ls handbook/\n  hopstream docs show handbook/safety.md#3",
		Args:    cli.Exactly(0, "one of ls, show"),
		RunE: func(*cobra.Command, []string) error {
			return cli.Usagef("docs wants one of ls, show (see: hopstream docs --help)")
		},
	}
	cmd.AddCommand(newDocsLs(a), newDocsShow(a))
	return cmd
}

func newDocsLs(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls [PREFIX]", Short: "List the documents, by ID",
		Example: "  hopstream docs ls\n  hopstream docs ls handbook/ --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("docs ls wants one PREFIX of IDs at most (see: hopstream docs ls --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := library.Open(cmd.Context(), a)
			if err != nil {
				return err
			}
			defer l.Close()
			all, err := l.Documents(cmd.Context(), append(args, "")[0])
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSONLines(a.Out, all)
			}
			return library.PrintList(a.Out, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON lines")
	return cmd
}

func newDocsShow(a *cli.App) *cobra.Command {
	var asJSON bool
	var around int
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show a document and its passages, or one passage, ID#n, whole",
		Example: "  hopstream docs show handbook/safety.md\n  hopstream docs show handbook/safety.md#3 --context 2",
		Args:    cli.Exactly(1, "the ID of a document or passage"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if around < 0 {
				return cli.Usagef("--context %d: at least 0", around)
			}
			l, err := library.Open(cmd.Context(), a)
			if err != nil {
				return err
			}
			defer l.Close()
			whole, near, err := l.Show(cmd.Context(), args[0], around)
			switch {
			case err != nil:
				return err
			case near != nil && asJSON:
				return cli.WriteJSON(a.Out, near)
			case near != nil:
				return library.PrintNear(a.Out, near)
			case asJSON:
				return cli.WriteJSON(a.Out, whole)
			}
			return library.PrintWhole(a.Out, whole)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().IntVar(&around, "context", 1, "passages before and after the one shown")
	return cmd
}
