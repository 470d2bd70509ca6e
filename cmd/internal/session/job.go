package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
)

// job is an Ingest under way.
type job struct {
	Ingest
	app   *cli.App
	bar   interface{ Finish() error }
	found *document.Found
	out   Ingested
	mu    sync.Mutex // guards Failed of out

	parts   []string            // the IDs of parts that were stored before
	partsOf map[string][]string // the same, by the ID of the document
	gone    []string            // IDs that are to be removed, since their files are gone
	refused map[string]bool     // IDs that could not be stored
}

// find lists the files of a job. What is wrong with the arguments shows here,
// before anything is opened.
func find(ctx context.Context, a *cli.App, in Ingest) (*job, error) {
	j := &job{Ingest: in, app: a, refused: map[string]bool{}}
	j.out.PassedOver = &PassedOver{app: a, verbose: in.Verbose}
	if len(in.Paths) == 0 {
		return j, nil
	}
	bar := a.Progress(-1, "indexing", true)
	j.bar = bar
	w := &document.Walker{
		Stdin: a.In, Prefix: in.Prefix, Fields: in.Fields, PassedOver: j.out.PassedOver.add,
		Chunk: document.ChunkOptions{Size: a.Config.Index.ChunkSize, Overlap: a.Config.Index.ChunkOverlap},
		Progress: func(read, total int64) {
			if total > 0 {
				bar.ChangeMax64(total)
			}
			_ = bar.Set64(read)
		},
	}
	var err error
	j.found, err = w.Find(ctx, in.Paths, func(path string, line int, err error) {
		if line > 0 {
			path = fmt.Sprintf("%s:%d", path, line)
		}
		j.report(path, err)
	})
	switch {
	case errors.Is(err, document.ErrClash):
		return j, cli.Usage(err)
	case err != nil:
		return j, err
	case !in.Sync:
		return j, nil
	}
	for _, r := range j.found.Roots() {
		if !r.Whole {
			return j, cli.Usagef("--sync wants whole folders: give %s, or leave out --sync", r.Path)
		}
	}
	if len(j.found.Roots()) == 0 {
		return j, cli.Usagef("--sync wants folders: records with IDs of their own are removed with --delete ID")
	}
	return j, nil
}

// report tells of a document or file that failed.
func (j *job) report(what string, err error) {
	j.mu.Lock() // files are read while documents are stored
	defer j.mu.Unlock()
	j.out.Failed++
	j.app.Complain("%s: %s", what, cli.OneLine(err))
}

// run does the job. The error is cli.ErrSilent where something failed that has
// been reported, and that of ctx where it ended.
func (j *job) run(ctx context.Context, s *Session) error {
	err := j.steps(ctx, s)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (j *job) steps(ctx context.Context, s *Session) error {
	if err := j.remove(ctx, s); err != nil {
		return err
	}
	if len(j.Paths) > 0 {
		a := s.App
		if _, err := docstream.Ensure(ctx, s.Conn.JS, s.Conn.Names, node.DocumentStream(a.Config, s.Conn.Names), a.Log); err != nil {
			return err
		}
		if err := j.publish(ctx, s); err != nil {
			return err
		}
		if err := j.tidy(ctx, s); err != nil {
			return err
		}
	}
	j.out.PassedOver.summarize()
	if j.out.Failed > 0 {
		return cli.ErrSilent
	}
	return nil
}

// publish reads what was found into the document stream.
func (j *job) publish(ctx context.Context, s *Session) error {
	pub, err := docstream.NewPublisher(ctx, s.Conn.JS, s.Conn.Names, docstream.PublishOptions{
		Replace: j.Replace,
		OnError: func(id string, err error) {
			j.refused[document.Whole(id)] = true
			j.report(id, err)
		},
	})
	if err != nil {
		return err
	}
	if err = j.compare(ctx, pub); err == nil {
		_, err = j.found.Read(func(d messages.Document) error {
			instead, err := j.instead(pub, &d)
			if err != nil {
				return err
			}
			return pub.Add(d, instead...)
		})
	}
	_ = j.bar.Finish()
	st, cerr := pub.Close()
	st.Failed, st.Deleted = j.out.Failed, st.Deleted+j.out.Deleted
	st.LastSeq = max(st.LastSeq, j.out.LastSeq)
	j.out.PublishStats = st
	if cerr != nil {
		return cerr // which is why reading ended
	}
	return err
}
