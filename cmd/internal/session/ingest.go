package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
)

// IndexDocuments stores the documents that paths hold, and deletes those with
// the given IDs. If other processes have indexes, it waits until these have read
// the change. Documents that cannot be read are reported, counted as failed and
// skipped; the error is then cli.ErrSilent.
func IndexDocuments(ctx context.Context, a *cli.App, paths, deletes []string) (st docstream.PublishStats, err error) {
	l, err := broker.Connect(ctx, a.Config, "", a.Log)
	if err != nil {
		return st, err
	}
	defer l.Close()
	s := &Session{App: a, Conn: l}
	if _, err := docstream.Ensure(ctx, l.JS, l.Names, node.DocumentStream(a.Config, l.Names), a.Log); err != nil {
		return st, err
	}
	st, err = s.publish(ctx, paths, deletes)
	if err != nil && !errors.Is(err, cli.ErrSilent) {
		return st, err
	}
	if werr := s.awaitOthers(ctx, st.LastSeq, false); werr != nil {
		return st, errors.Join(err, werr)
	}
	return st, err
}

// ingest publishes documents and waits until they can be found.
func (s *Session) ingest(ctx context.Context, paths []string) (docstream.PublishStats, error) {
	a := s.App
	if _, err := docstream.Ensure(ctx, s.Conn.JS, s.Conn.Names, node.DocumentStream(a.Config, s.Conn.Names), a.Log); err != nil {
		return docstream.PublishStats{}, err
	}
	st, err := s.publish(ctx, paths, nil)
	if err != nil && !errors.Is(err, cli.ErrSilent) {
		return st, err
	}
	if st.Stored+st.Unchanged == 0 {
		return st, fmt.Errorf("no documents in %q: nothing could be answered", paths)
	}
	if s.Node != nil {
		return st, s.Node.Stores.WaitFor(ctx, st.LastSeq)
	}
	return st, s.awaitOthers(ctx, st.LastSeq, true)
}

// awaitOthers waits until the indexes of other processes have taken in the
// document stored at seq, so that the next question finds it. It fails if no
// other process has an index and one is needed.
func (s *Session) awaitOthers(ctx context.Context, seq uint64, needed bool) error {
	if s.Conn.Own || seq == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	return node.AwaitIndexes(ctx, s.Conn, seq, needed)
}

// publish reads paths into the document stream. Documents that cannot be read
// are reported, counted as failed and skipped; the error is then cli.ErrSilent.
func (s *Session) publish(ctx context.Context, paths, deletes []string) (docstream.PublishStats, error) {
	a, bad := s.App, 0
	report := func(what string, err error) {
		bad++
		a.Complain("%s: %s", what, cli.OneLine(err))
	}
	pub, err := docstream.NewPublisher(ctx, s.Conn.JS, s.Conn.Names, docstream.PublishOptions{
		OnError: func(id string, err error) { report(id, err) },
	})
	if err != nil {
		return docstream.PublishStats{}, err
	}
	bar := a.Progress(-1, "indexing", true)
	walker := &document.Walker{Stdin: a.In, Progress: func(read, total int64) {
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
