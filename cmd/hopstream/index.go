package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
)

func newIndex(a *cli.App) *cobra.Command {
	var deletes []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "index [--delete ID] PATH...",
		Short: "Take documents in: .jsonl, .jsonl.gz, .txt, .md, .html, folders",
		Long: `Take documents in. JSONL files hold one {"id","title","text"} a line; other
files are one document each, their path being its ID; "-" reads JSONL from
standard input. Long documents are cut into passages. A document that has not
changed is skipped; one that has replaces its former version. Where workers
run, it waits until they have taken the documents in.

What cannot be read is reported and skipped; the exit code is then 1.`,
		Example: `  hopstream index handbook/
  hopstream index corpus.jsonl.gz notes.md
  hopstream index --delete notes.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && len(deletes) == 0 {
				return cli.Usagef("index wants at least one PATH or --delete ID (see: hopstream index --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			st, err := session.IndexDocuments(cmd.Context(), a, args, deletes)
			if err != nil && err != cli.ErrSilent { // which leaves the rest stored
				return err
			}
			if asJSON {
				return errors.Join(err, cli.WriteJSON(a.Out, map[string]int{"stored": st.Stored, "unchanged": st.Unchanged, "deleted": st.Deleted, "failed": st.Failed}))
			}
			fmt.Fprintf(a.Out, "%d stored, %d unchanged, %d deleted, %d failed\n", st.Stored, st.Unchanged, st.Deleted, st.Failed)
			return err
		},
	}
	cmd.Flags().StringArrayVar(&deletes, "delete", nil, "remove the document with this ID (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return cmd
}
