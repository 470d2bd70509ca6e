package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/index"
	"hopstream/messages"
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
			ctx := cmd.Context()
			l, err := broker.Connect(ctx, a.Config, "", a.Log)
			if err != nil {
				return err
			}
			defer l.Close()
			s := &session{app: a, conn: l}
			if _, err := index.EnsureStream(ctx, l.JS, l.Names, node.DocumentStream(a.Config, l.Names), a.Log); err != nil {
				return err
			}
			st, err := publishDocuments(ctx, a, s, args, deletes)
			if err != nil && !errors.Is(err, cli.ErrSilent) {
				return err
			}
			if werr := s.awaitOthers(ctx, st.LastSeq, false); werr != nil {
				return errors.Join(err, werr)
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

// ingest publishes documents and waits until they can be found.
func ingest(ctx context.Context, a *cli.App, s *session, paths []string) (index.PublishStats, error) {
	if _, err := index.EnsureStream(ctx, s.conn.JS, s.conn.Names, node.DocumentStream(a.Config, s.conn.Names), a.Log); err != nil {
		return index.PublishStats{}, err
	}
	st, err := publishDocuments(ctx, a, s, paths, nil)
	if err != nil && !errors.Is(err, cli.ErrSilent) {
		return st, err
	}
	if st.Stored+st.Unchanged == 0 {
		return st, fmt.Errorf("no documents in %q: nothing could be answered", paths)
	}
	if s.node != nil {
		return st, s.node.Stores.WaitFor(ctx, st.LastSeq)
	}
	return st, s.awaitOthers(ctx, st.LastSeq, true)
}

// awaitOthers waits until the indexes of other processes have taken in the
// document stored at seq, so that whoever asks next finds it. There may be
// none unless it is needed.
func (s *session) awaitOthers(ctx context.Context, seq uint64, needed bool) error {
	if s.conn.Own || seq == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	return node.AwaitIndexes(ctx, s.conn, seq, needed)
}

// publishDocuments reads paths into the document stream. Documents that cannot be read
// are reported, counted as failed and skipped; the error is then errSilent.
func publishDocuments(ctx context.Context, a *cli.App, s *session, paths, deletes []string) (index.PublishStats, error) {
	bad := 0
	report := func(what string, err error) {
		bad++
		a.Complain("%s: %s", what, cli.OneLine(err))
	}
	pub, err := index.NewPublisher(ctx, s.conn.JS, s.conn.Names, index.PublishOptions{
		OnError: func(id string, err error) { report(id, err) },
	})
	if err != nil {
		return index.PublishStats{}, err
	}
	bar := a.Progress(-1, "indexing", true)
	walker := &index.Walker{Stdin: a.In, Progress: func(read, total int64) {
		if total > 0 {
			bar.ChangeMax64(total)
		}
		_ = bar.Set64(read)
	}}
	_, err = walker.Walk(ctx, paths, pub.Add, func(path string, line int, err error) {
		if line > 0 {
			path = fmt.Sprintf("%s:%d", path, line)
		}
		report(path, err)
	})
	for _, id := range deletes {
		if err == nil {
			if cerr := messages.CheckDocID(id); cerr != nil {
				report("--delete", cerr)
				continue
			}
			err = pub.Add(messages.Document{ID: id, Deleted: true})
		}
	}
	_ = bar.Finish()
	st, cerr := pub.Close()
	st.Failed = bad
	if err = errors.Join(err, cerr); err != nil {
		return st, err
	}
	if bad > 0 {
		return st, cli.ErrSilent
	}
	return st, nil
}
