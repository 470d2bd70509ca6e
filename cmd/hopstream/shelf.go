package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/index/links"
	"hopstream/index/vector"
	"hopstream/messages"
	"hopstream/stages/log"
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

// following keeps a store up to date, as docstream.Follower does.
type following interface {
	Run(ctx context.Context) error
	WaitFor(ctx context.Context, seq uint64) error
	Lag(ctx context.Context) (uint64, error)
	Ready(ctx context.Context) error
	Reach(ctx context.Context, seq uint64) (docstream.Progress, error)
	Epoch(ctx context.Context) (uint64, error)
	Progress() docstream.Progress
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

// passages is how many the first store holds.
func (s shelves) passages() int {
	if len(s) == 0 {
		return 0
	}
	return s[0].store.Passages()
}

// lag is how many documents the one that is furthest behind has yet to read.
func (s shelves) lag(ctx context.Context) (uint64, error) {
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
func (n *node) openWords(ctx context.Context, a *app, inMem bool) (*bleve.Store, error) {
	store, err := bleve.Open(a.shelfPath("index", inMem), a.indexOptions())
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	return store, n.shelve(ctx, a, "words", store)
}

// openLinks opens the index of passages and whom they name.
func (n *node) openLinks(ctx context.Context, a *app, inMem bool) (*links.Store, error) {
	store, err := links.Open(a.shelfPath("links", inMem), links.Options{Chunk: a.indexOptions().Chunk, Logger: a.log})
	if err != nil {
		return nil, fmt.Errorf("open the links: %w", err)
	}
	return store, n.shelve(ctx, a, "links", store)
}

// openVectors opens the embedded vector index.
func (n *node) openVectors(ctx context.Context, a *app, inMem bool) (*vector.Store, error) {
	store, err := vector.Open(a.shelfPath("vectors", inMem), vector.Options{
		Embedder: n.engines, EmbedderName: a.cfg.embedderName(), Chunk: a.indexOptions().Chunk, Logger: a.log,
	})
	if err != nil {
		return nil, fmt.Errorf("open the vectors: %w", err)
	}
	return store, n.shelve(ctx, a, "vectors", store)
}

// shelve has a store follow the document stream.
func (n *node) shelve(ctx context.Context, a *app, name string, store shelved) error {
	if n.stores != nil {
		store = n.stores(store)
	}
	if _, err := docstream.Ensure(ctx, n.link.js, n.link.names, a.documentStream(n.link), a.log); err != nil {
		return errors.Join(err, store.Close())
	}
	f, err := docstream.Follow(ctx, n.link.js, n.link.names, store, n.followOptions(ctx, a))
	if err != nil {
		return errors.Join(err, store.Close())
	}
	n.shelves = append(n.shelves, &shelf{name: name, store: store, follower: f})
	return nil
}

func (n *node) followOptions(ctx context.Context, a *app) docstream.FollowOptions {
	stream := a.documentStream(n.link)
	return docstream.FollowOptions{
		Stream: &stream, Logger: a.log,
		OnBad: func(d messages.Dead) {
			if err := n.log.Put(ctx, &d); err != nil && !errors.Is(err, log.ErrStored) {
				a.log.Error("a bad document could not be put aside", "document", d.ID, "error", err)
			}
		},
	}
}

// shelfPath is a store's folder; empty keeps it in memory.
func (a *app) shelfPath(name string, inMem bool) string {
	if inMem || a.cfg.Index.Memory {
		return ""
	}
	return filepath.Join(a.cfg.Data, name)
}

func (a *app) indexOptions() bleve.Options {
	c := a.cfg.Index
	return bleve.Options{BM25: index.BM25{K1: c.K1, B: c.B}, Chunk: document.ChunkOptions{Size: c.ChunkSize, Overlap: c.ChunkOverlap}, Logger: a.log}
}
