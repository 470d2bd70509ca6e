package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
)

func newIndex(a *app) *cobra.Command {
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
				return usagef("index wants at least one PATH or --delete ID (see: hopstream index --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			ctx := cmd.Context()
			l, err := a.connect(ctx, "")
			if err != nil {
				return err
			}
			defer l.close()
			s := &session{app: a, link: l}
			if _, err := docstream.Ensure(ctx, l.js, l.names, a.documentStream(l), a.log); err != nil {
				return err
			}
			st, err := a.publish(ctx, s, args, deletes)
			if err != nil && !errors.Is(err, errSilent) {
				return err
			}
			if werr := s.awaitOthers(ctx, st.LastSeq, false); werr != nil {
				return errors.Join(err, werr)
			}
			if asJSON {
				return errors.Join(err, writeJSON(a.out, map[string]int{"stored": st.Stored, "unchanged": st.Unchanged, "deleted": st.Deleted, "failed": st.Failed}))
			}
			fmt.Fprintf(a.out, "%d stored, %d unchanged, %d deleted, %d failed\n", st.Stored, st.Unchanged, st.Deleted, st.Failed)
			return err
		},
	}
	cmd.Flags().StringArrayVar(&deletes, "delete", nil, "remove the document with this ID (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return cmd
}

// ingest publishes documents and waits until they can be found.
func (a *app) ingest(ctx context.Context, s *session, paths []string) (docstream.PublishStats, error) {
	if _, err := docstream.Ensure(ctx, s.link.js, s.link.names, a.documentStream(s.link), a.log); err != nil {
		return docstream.PublishStats{}, err
	}
	st, err := a.publish(ctx, s, paths, nil)
	if err != nil && !errors.Is(err, errSilent) {
		return st, err
	}
	if st.Stored+st.Unchanged == 0 {
		return st, fmt.Errorf("no documents in %q: nothing could be answered", paths)
	}
	if s.node != nil {
		return st, s.node.shelves.waitFor(ctx, st.LastSeq)
	}
	return st, s.awaitOthers(ctx, st.LastSeq, true)
}

// awaitOthers waits until the indexes of other processes have taken in the
// document stored at seq, so that whoever asks next finds it. There may be
// none unless it is needed.
func (s *session) awaitOthers(ctx context.Context, seq uint64, needed bool) error {
	if s.link.own || seq == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	return s.link.awaitIndexes(ctx, seq, needed)
}

// publish reads paths into the document stream. Documents that cannot be read
// are reported, counted as failed and skipped; the error is then errSilent.
func (a *app) publish(ctx context.Context, s *session, paths, deletes []string) (docstream.PublishStats, error) {
	bad := 0
	report := func(what string, err error) {
		bad++
		fmt.Fprintf(a.err, "hopstream: %s: %s\n", what, oneLine(err))
	}
	pub, err := docstream.NewPublisher(ctx, s.link.js, s.link.names, docstream.PublishOptions{
		OnError: func(id string, err error) { report(id, err) },
	})
	if err != nil {
		return docstream.PublishStats{}, err
	}
	bar := a.progress(-1, "indexing", true)
	walker := &document.Walker{Stdin: a.in, Progress: func(read, total int64) {
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
		return st, errSilent
	}
	return st, nil
}
