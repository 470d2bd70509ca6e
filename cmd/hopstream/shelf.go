package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"hopstream/cmd/internal/config"
	"hopstream/index"
	"hopstream/index/links"
	"hopstream/index/vector"
	"hopstream/messages"
	"hopstream/stages/log"

	"github.com/nats-io/nats.go/jetstream"
)

// shelf is a store of this process, kept up to date from the document stream.
type shelf struct {
	name     string
	store    shelved
	follower following
	// fills reports whether this process keeps the store up to date; nil means
	// that it always does. Another process speaks for the store otherwise.
	fills func() bool
}

// following keeps a store up to date, as index.Follower does.
type following interface {
	Run(ctx context.Context) error
	WaitFor(ctx context.Context, seq uint64) error
	Lag(ctx context.Context) (uint64, error)
	Ready(ctx context.Context) error
	Reach(ctx context.Context, seq uint64) (index.Progress, error)
	Epoch(ctx context.Context) (uint64, error)
	Progress() index.Progress
}

// shelved is what a shelf needs of a store.
type shelved interface {
	index.Store
	Documents() int
	Passages() int
	Close() error
}

// shelves are the stores that the configured searchers need. The first one
// speaks for all where documents and passages are counted.
type shelves []*shelf

// waitFor returns when every store has taken in the document stored at seq.
func (s shelves) waitFor(ctx context.Context, seq uint64) error {
	for _, one := range s {
		if err := one.follower.WaitFor(ctx, seq); err != nil {
			return err
		}
	}
	return nil
}

// filled are those that this process fills.
func (s shelves) filled() (own shelves) {
	for _, one := range s {
		if one.fills == nil || one.fills() {
			own = append(own, one)
		}
	}
	return own
}

// Documents is how many the first store holds.
func (s shelves) Documents() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].store.Documents()
}

// Passages is how many the first store holds.
func (s shelves) Passages() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].store.Passages()
}

// Lag is how many documents the one that is furthest behind has yet to read.
func (s shelves) Lag(ctx context.Context) (uint64, error) {
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

func (s shelves) close() error {
	var err error
	for _, one := range s {
		err = errors.Join(err, one.store.Close())
	}
	return err
}

// openWords opens the word index.
func (n *node) openWords(ctx context.Context, inMem bool) (*index.Bleve, error) {
	store, err := index.OpenBleve(n.shelfPath("index", inMem), n.indexOptions())
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	return store, n.shelve(ctx, "words", store)
}

// openLinks opens the index of passages and whom they name.
func (n *node) openLinks(ctx context.Context, inMem bool) (*links.Store, error) {
	store, err := links.Open(n.shelfPath("links", inMem), links.Options{Chunk: n.indexOptions(), Logger: n.logger})
	if err != nil {
		return nil, fmt.Errorf("open the links: %w", err)
	}
	return store, n.shelve(ctx, "links", store)
}

// openVectors opens the embedded vector index.
func (n *node) openVectors(ctx context.Context, inMem bool) (*vector.Store, error) {
	store, err := vector.Open(n.shelfPath("vectors", inMem), vector.Options{
		Embedder: n.engines, EmbedderName: n.cfg.EmbedderName(), Chunk: n.indexOptions(), Logger: n.logger,
	})
	if err != nil {
		return nil, fmt.Errorf("open the vectors: %w", err)
	}
	return store, n.shelve(ctx, "vectors", store)
}

// shelve has a store follow the document stream.
func (n *node) shelve(ctx context.Context, name string, store shelved) error {
	if n.wrap != nil {
		store = n.wrap(store)
	}
	if _, err := index.EnsureStream(ctx, n.conn.JS, n.conn.Names, documentStream(n.cfg, n.conn.Names), n.logger); err != nil {
		return errors.Join(err, store.Close())
	}
	f, err := index.Follow(ctx, n.conn.JS, n.conn.Names, store, n.followOptions(ctx))
	if err != nil {
		return errors.Join(err, store.Close())
	}
	n.shelves = append(n.shelves, &shelf{name: name, store: store, follower: f})
	return nil
}

func (n *node) followOptions(ctx context.Context) index.FollowOptions {
	stream := documentStream(n.cfg, n.conn.Names)
	return index.FollowOptions{
		Stream: &stream, Logger: n.logger,
		OnBad: func(d messages.Dead) {
			if err := n.log.Put(ctx, &d); err != nil && !errors.Is(err, log.ErrStored) {
				n.logger.Error("a bad document could not be put aside", "document", d.ID, "error", err)
			}
		},
	}
}

// shelfPath is a store's folder; empty keeps it in memory.
func (n *node) shelfPath(name string, inMem bool) string {
	if inMem || n.cfg.Index.Memory {
		return ""
	}
	return filepath.Join(n.cfg.Data, name)
}

func (n *node) indexOptions() index.Options {
	c := n.cfg.Index
	return index.Options{K1: c.K1, B: c.B, ChunkSize: c.ChunkSize, ChunkOverlap: c.ChunkOverlap, Logger: n.logger}
}

// documentStream is the document stream's configuration.
func documentStream(cfg config.Config, names messages.Names) jetstream.StreamConfig {
	stream := index.DocumentStream(names)
	stream.Replicas = cfg.NATS.Replicas
	return stream
}
