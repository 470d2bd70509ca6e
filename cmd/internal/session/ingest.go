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
)

// Ingest says which documents to take in, and which to remove.
type Ingest struct {
	Paths  []string
	Delete []string        // IDs; one that ends in a slash means all below it
	Prefix string          // before the ID of every document of Paths
	Fields document.Fields // where records have what documents consist of
	// Replace has documents replace those of the same ID from other folders.
	Replace bool
	// Sync removes the documents from the folders in Paths whose files are gone.
	Sync    bool
	Yes     bool // remove without asking
	Verbose bool // name everything that is passed over
}

// Ingested says what became of the documents, and what was not read. A document
// in several parts that is removed counts once.
type Ingested struct {
	docstream.PublishStats
	PassedOver *PassedOver
}

// IndexDocuments does what in says: first it deletes, then it stores. If other
// processes have indexes, it waits until these have read the change. It fails
// before it stores anything where a document would replace one from another
// folder, and where documents are to be removed that nobody confirms. Documents
// that cannot be read are reported, counted as failed and skipped; the error is
// then cli.ErrSilent, as it is if what is to be deleted is not there.
func IndexDocuments(ctx context.Context, a *cli.App, in Ingest) (Ingested, error) {
	job, err := find(ctx, a, in)
	if err != nil {
		return job.out, err
	}
	if len(in.Paths) == 0 && broker.Unused(a.Config) {
		return job.out, job.nothingThere(in.Delete)
	}
	l, err := broker.Connect(ctx, a.Config, "", a.Log)
	if err != nil {
		return job.out, err
	}
	defer l.Close()
	s := &Session{App: a, Conn: l}
	err = job.run(ctx, s)
	if err != nil && !errors.Is(err, cli.ErrSilent) {
		return job.out, err
	}
	if werr := s.awaitOthers(ctx, job.out.LastSeq, false); werr != nil {
		return job.out, errors.Join(err, werr)
	}
	return job.out, err
}

// ingest publishes documents and waits until they can be found.
func (s *Session) ingest(ctx context.Context, paths []string) error {
	job, err := find(ctx, s.App, Ingest{Paths: paths})
	if err == nil {
		err = job.run(ctx, s)
	}
	if err != nil && !errors.Is(err, cli.ErrSilent) {
		return err
	}
	st := job.out.PublishStats
	if st.Stored+st.Unchanged == 0 {
		return fmt.Errorf("no documents in %q: nothing could be answered", paths)
	}
	if s.Node != nil {
		return s.Node.Stores.WaitFor(ctx, st.LastSeq)
	}
	return s.awaitOthers(ctx, st.LastSeq, true)
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
