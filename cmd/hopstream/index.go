package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/index/document"
)

func newIndex(a *cli.App) *cobra.Command {
	var in session.Ingest
	var fields []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "index [--delete ID] PATH...",
		Short: "Take documents in: files of most kinds (Markdown, PDF, DOCX, JSON, …), folders",
		Long: `Take documents in. Read are Markdown, HTML, text, reStructuredText, AsciiDoc,
manual pages, PDF, DOCX, ODT, PPTX, CSV and TSV (a passage for each row), JSON and
JSONL (a document for each record: {"id","title","text"}, or what --field says);
"-" reads JSONL from standard input. Other files are one document each, their path
below the folder given being its ID. Where several folders are given, the IDs begin
with their names, or with --prefix. Long documents are cut into passages. A
document that has not changed is skipped; one that has replaces its former
version, unless that came from another folder: then nothing is stored, and you
choose between --prefix and --replace. Where workers run, it waits until they
have taken the documents in.

What cannot be read, or is not there to be deleted, is reported and skipped; the
exit code is then 1. What is of a kind that is not read is counted. Deletions are
done first; those of several documents by --sync or below a folder are asked for
on a terminal, and want --yes elsewhere.`,
		Example: `  hopstream index handbook/
  hopstream index corpus.jsonl.gz notes.md
  hopstream index --sync handbook/           # and remove documents whose files are gone
  hopstream index --prefix 2025/ old/        # IDs such as 2025/notes.md
  hopstream index --field text=body,abstract --field id=meta.key papers.jsonl
  hopstream index --delete notes.md
  hopstream index --delete handbook/ --yes   # everything below`,
		Args: func(_ *cobra.Command, args []string) (err error) {
			in.Paths = args
			if len(args) == 0 && len(in.Delete) == 0 {
				return cli.Usagef("index wants at least one PATH or --delete ID (see: hopstream index --help)")
			}
			if len(args) == 0 && in.Sync {
				return cli.Usagef("--sync wants the PATH of a folder (see: hopstream index --help)")
			}
			if in.Fields, err = document.ParseFields(fields); err != nil {
				return cli.Usagef("--field %w", err)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			done, err := session.IndexDocuments(cmd.Context(), a, in)
			if err != nil && !errors.Is(err, cli.ErrSilent) { // which leaves the rest stored
				return err
			}
			return errors.Join(err, writeIngested(a, done, asJSON))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&in.Delete, "delete", nil, "remove the document with this ID, or everything below ID/ (repeatable)")
	flags.StringVar(&in.Prefix, "prefix", "", "begin the ID of every document with this and a slash")
	flags.BoolVar(&in.Replace, "replace", false, "replace documents of the same ID from other folders")
	flags.BoolVar(&in.Sync, "sync", false, "remove the documents from the folders given whose files are gone")
	flags.BoolVar(&in.Yes, "yes", false, "remove without asking")
	flags.StringArrayVar(&fields, "field", nil, "where records have id, title, text or date: NAME=PATH[,PATH…] (repeatable)")
	flags.BoolVarP(&in.Verbose, "verbose", "v", false, "name everything that is passed over")
	flags.BoolVar(&asJSON, "json", false, "print the counts, and what was passed over, as JSON")
	return cmd
}

// writeIngested prints what became of the documents.
func writeIngested(a *cli.App, in session.Ingested, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(a.Out, "%d stored, %d unchanged, %d deleted, %d failed\n", in.Stored, in.Unchanged, in.Deleted, in.Failed)
		return err
	}
	passed := in.PassedOver.First
	if passed == nil {
		passed = []session.Passed{}
	}
	return cli.WriteJSON(a.Out, struct {
		Stored     int              `json:"stored"`
		Unchanged  int              `json:"unchanged"`
		Deleted    int              `json:"deleted"`
		Failed     int              `json:"failed"`
		Passed     []session.Passed `json:"passed_over"`       // the first of them
		PassedOver int              `json:"passed_over_count"` // all of them
	}{in.Stored, in.Unchanged, in.Deleted, in.Failed, passed, in.PassedOver.Count})
}
