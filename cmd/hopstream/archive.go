package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/archive"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
)

func newArchive(a *cli.App) *cobra.Command {
	var o archive.Options
	var dir, since string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "archive --out DIR",
		Short: "Write the answers that are kept to files, before they age out",
		Long: `Write the answers that are kept to files of JSON lines, and with --traces the
messages of their questions too. Answers that the folder has are not written again,
also after this was killed: each file is there as a whole or not at all, and says in
its name which answers it has. A file that is there does not change any more.

hopstream up does the same now and then where archive.dir is set, and then drops no
answer that is not archived.`,
		Example: "  hopstream archive --out archive/\n  hopstream archive --out archive/ --traces --since 24h",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if dir == "" {
				return cli.Usagef("archive wants --out DIR, the folder of the files")
			}
			if o.Since, err = moment(since, time.Now()); err != nil {
				return err
			}
			return session.Inspect(cmd.Context(), a, func(s *session.Session) (err error) {
				folder, err := archive.OpenFolder(dir)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, folder.Close()) }()
				done, err := archive.Export(cmd.Context(), s.Log, folder, o)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.WriteJSON(a.Out, done)
				}
				fmt.Fprintf(a.Out, "%s in %s, %.1f MB before compression\n", cli.Plural(done.Answers, "answer"), cli.Plural(done.Files, "file"), float64(done.Bytes)/1e6)
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "out", "", "the folder of the files")
	f.BoolVar(&o.Traces, "traces", false, "write the traces too, as far as they are kept")
	f.BoolVar(&o.Gzip, "gzip", false, "compress the files")
	f.StringVar(&since, "since", "", "only answers since then: a time, a day, or how long ago (24h)")
	f.BoolVar(&asJSON, "json", false, "print what was done as JSON")
	return cmd
}

// moment reads a time: RFC 3339, a day, or a span of time before now. Empty is the
// zero time.
func moment(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, cli.Usagef("--since %q: want a time (2026-11-22T15:00:00Z), a day (2026-11-22) or how long ago (24h)", text)
}
