package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/config"
	"hopstream/index/docstream"
)

// errNothing says that there is no document to answer from.
var errNothing = errors.New("nothing is indexed: add documents with `hopstream index PATH`, or name them with --docs")

// neverUsed fails if documents are needed and there cannot be any, since this
// process would make its data folder first. So a question that was asked in the
// wrong folder leaves none behind.
func neverUsed(c *config.Config) error {
	if c.NATS.URL != "" || !c.ReadsDocuments() {
		return nil
	}
	if _, err := os.Stat(c.Data); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (there is no data folder %s)", errNothing, c.Data)
	}
	return nil
}

// needDocuments fails if documents are needed and none is stored.
func (s *Session) needDocuments(ctx context.Context) error {
	if !s.App.Config.ReadsDocuments() {
		return nil
	}
	stream, err := s.Conn.JS.Stream(ctx, docstream.Config(s.Conn.Names).Name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return errNothing
	case err != nil:
		return fmt.Errorf("document stream: %w", err)
	case stream.CachedInfo().State.Msgs == 0:
		return errNothing
	}
	return nil
}
