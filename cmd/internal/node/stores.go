package node

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/config"
	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/index/links"
	"hopstream/index/vector"
	"hopstream/messages"
	"hopstream/stages/log"
)

// followed is a store that is kept up to date from the document stream.
type followed struct {
	name     string
	store    Store
	follower Follower
	// fills reports whether this process keeps the store up to date; nil means
	// that it always does. Otherwise another process answers for its position.
	fills func() bool
}

// Follower keeps a store up to date, as docstream.Follower does.
type Follower interface {
	Run(ctx context.Context) error
	WaitFor(ctx context.Context, seq uint64) error
	Lag(ctx context.Context) (uint64, error)
	Ready(ctx context.Context) error
	Reach(ctx context.Context, seq uint64) (docstream.Progress, error)
	Epoch(ctx context.Context) (uint64, error)
	Progress() docstream.Progress
}

// Store is what a node needs of a store that follows the document stream.
type Store interface {
	index.Store
	Documents() int
	Passages() int
	Close() error
}

// Stores are the stores that the configured searchers need. Counts of documents
// and passages are those of the first one.
type Stores []*followed

// WaitFor returns when every store has taken in the document stored at seq.
func (s Stores) WaitFor(ctx context.Context, seq uint64) error {
	for _, one := range s {
		if err := one.follower.WaitFor(ctx, seq); err != nil {
			return err
		}
	}
	return nil
}

// filled are those that this process fills.
func (s Stores) filled() (own Stores) {
	for _, one := range s {
		if one.fills == nil || one.fills() {
			own = append(own, one)
		}
	}
	return own
}

// Documents is how many the first store holds.
func (s Stores) Documents() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].store.Documents()
}

// Passages is how many the first store holds.
func (s Stores) Passages() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].store.Passages()
}

// Lag is how many documents the one that is furthest behind has yet to read.
func (s Stores) Lag(ctx context.Context) (uint64, error) {
	var most uint64
	for _, one := range s {
		lag, err := one.follower.Lag(ctx)
		if err != nil {
			return 0, err
		}
		most = max(most, lag)
	}
	return most, nil
}

func (s Stores) close() error {
	var err error
	for _, one := range s {
		err = errors.Join(err, one.store.Close())
	}
	return err
}

// openWords opens the word index.
func (n *Node) openWords(ctx context.Context, inMem bool) (*bleve.Store, error) {
	store, err := bleve.Open(n.storePath("index", inMem), n.indexOptions())
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	return store, n.add(ctx, "words", store)
}

// openLinks opens the links index.
func (n *Node) openLinks(ctx context.Context, inMem bool) (*links.Store, error) {
	store, err := links.Open(n.storePath("links", inMem), links.Options{Chunk: n.indexOptions().Chunk, Logger: n.logger})
	if err != nil {
		return nil, fmt.Errorf("open the links: %w", err)
	}
	return store, n.add(ctx, "links", store)
}

// openVectors opens the embedded vector index.
func (n *Node) openVectors(ctx context.Context, inMem bool) (*vector.Store, error) {
	store, err := vector.Open(n.storePath("vectors", inMem), vector.Options{
		Embedder: n.Engines, EmbedderName: n.cfg.EmbedderName(), Chunk: n.indexOptions().Chunk, Logger: n.logger,
	})
	if err != nil {
		return nil, fmt.Errorf("open the vectors: %w", err)
	}
	return store, n.add(ctx, "vectors", store)
}

// add has a store follow the document stream, once the node does.
func (n *Node) add(ctx context.Context, name string, store Store) error {
	if n.wrap != nil {
		store = n.wrap(store)
	}
	if _, err := docstream.Ensure(ctx, n.Conn.JS, n.Conn.Names, DocumentStream(n.cfg, n.Conn.Names), n.logger); err != nil {
		return errors.Join(err, store.Close())
	}
	f, err := docstream.Follow(ctx, n.Conn.JS, n.Conn.Names, store, n.followOptions(ctx))
	if err != nil {
		return errors.Join(err, store.Close())
	}
	*n.opening = append(*n.opening, &followed{name: name, store: store, follower: f})
	return nil
}

func (n *Node) followOptions(ctx context.Context) docstream.FollowOptions {
	stream := DocumentStream(n.cfg, n.Conn.Names)
	return docstream.FollowOptions{
		Stream: &stream, Logger: n.logger,
		OnBad: func(d messages.Dead) {
			switch err := n.Log.Put(ctx, &d); {
			case errors.Is(err, log.ErrStored): // by another store, or another process
			case err != nil:
				n.logger.Error("a bad document could not be put aside", "document", d.ID, "error", err)
			case n.metrics != nil:
				n.metrics.DeadDocument()
			}
		},
	}
}

// storePath is a store's folder; empty keeps it in memory.
func (n *Node) storePath(name string, inMem bool) string {
	if inMem || n.cfg.Index.Memory {
		return ""
	}
	return filepath.Join(n.cfg.Data, name)
}

func (n *Node) indexOptions() bleve.Options {
	c := n.cfg.Index
	return bleve.Options{BM25: index.BM25{K1: c.K1, B: c.B}, Chunk: document.ChunkOptions{Size: c.ChunkSize, Overlap: c.ChunkOverlap}, Logger: n.logger}
}

// DocumentStream is the document stream's configuration.
func DocumentStream(cfg config.Config, names messages.Names) jetstream.StreamConfig {
	stream := docstream.Config(names)
	stream.Replicas = cfg.NATS.Replicas
	return stream
}
