package library

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/stages/log"
)

// Library is the documents that are stored.
type Library struct {
	app    *cli.App
	conn   *broker.Conn
	log    *log.Log
	stream jetstream.Stream
}

// Open connects to where documents are stored. It fails, and leaves everything as
// it is, where none are.
func Open(ctx context.Context, a *cli.App) (*Library, error) {
	if broker.Unused(a.Config) {
		return nil, nothing(a.Config)
	}
	conn, err := broker.Connect(ctx, a.Config, "", a.Log)
	if err != nil {
		return nil, err
	}
	l := &Library{app: a, conn: conn, log: log.New(conn.JS, conn.Names)}
	if err := l.find(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// find finds the document stream. A server of this process may have lost sight of
// it; another one's is not touched.
func (l *Library) find(ctx context.Context) (err error) {
	if l.conn.Own {
		l.stream, err = docstream.Ensure(ctx, l.conn.JS, l.conn.Names, node.DocumentStream(l.app.Config, l.conn.Names), l.app.Log)
	} else {
		l.stream, err = l.conn.JS.Stream(ctx, l.conn.Names.Stream(messages.KindDocument))
	}
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), err == nil && l.stream.CachedInfo().State.Msgs == 0:
		return nothing(l.app.Config)
	case err != nil:
		return fmt.Errorf("document stream: %w", err)
	}
	return nil
}

// nothing is the error where no document is stored.
func nothing(c config.Config) error {
	where := c.Data
	if c.NATS.URL != "" {
		where = config.RedactURL(c.NATS.URL)
	}
	return fmt.Errorf("nothing is indexed in %s: store documents with `hopstream index PATH...`, or name another folder with --data", where)
}

// Close disconnects.
func (l *Library) Close() {
	l.log.Close()
	l.conn.Close()
}

// cut returns the passages of a stored document, as stores have them.
func (l *Library) cut(d *messages.Document) []messages.Passage {
	c := l.app.Config.Index
	return document.Chunk(*d, document.ChunkOptions{Size: c.ChunkSize, Overlap: c.ChunkOverlap})
}
