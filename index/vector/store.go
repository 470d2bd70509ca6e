package vector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages/fault"
)

var _ index.Store = (*Store)(nil)

// Store is an index.Store over vectors. It is safe for concurrent use:
// searches wait for nothing, not even for documents coming in.
type Store struct {
	dir  string
	opts Options
	disk *disk // nil in memory

	writer sync.Mutex // one change at a time

	mu     sync.RWMutex // guards those below; held for moments only
	now    *snapshot
	where  map[string][]uint32 // slots of a document's passages, by its ID
	parts  map[string][]string // IDs of a document's parts, by its own
	closed bool
}

// probeTime is how long Open waits for the embedder to say how long its
// vectors are.
const probeTime = 5 * time.Second

// Open opens or creates the store in dir; an empty dir means in memory. A
// store that was made with another embedder, with vectors of another length or
// with other chunks is emptied, to be filled again from the stream. The length
// is learnt by embedding a short text; if the embedder is away it is not checked.
// Only one process can have a store open: another gets a permanent error that
// says so.
func Open(dir string, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fault.AsPermanent(err)
	}
	s := &Store{dir: dir, opts: opts, now: &snapshot{}, where: map[string][]uint32{}, parts: map[string][]string{}}
	if dir == "" {
		return s, nil
	}
	if s.disk, err = openDisk(dir); err != nil {
		return nil, err
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(unreadable(dir, err), s.disk.close())
	}
	return s, nil
}

// load reads what is on disk, or empties it if it does not fit.
func (s *Store) load() error {
	was, err := s.disk.format()
	if err != nil {
		return err
	}
	if want := s.opts.format(); was != want {
		if was != "" {
			s.opts.Logger.Warn("index was made with other settings and is built anew", "dir", s.dir, "was", was, "now", want)
		}
		return s.disk.reset(want)
	}
	now := &snapshot{}
	now.position, err = s.disk.load(func(c change) error {
		if now.dims == 0 {
			now.dims = len(c.vectors[0])
		}
		if len(c.vectors[0]) != now.dims {
			return fmt.Errorf("vectors of %d and of %d numbers", now.dims, len(c.vectors[0]))
		}
		slots := make([]uint32, len(c.passages))
		for i, p := range c.passages {
			slots[i] = now.add(p, c.vectors[i])
		}
		s.place(c.id, slots)
		if document.Begins(c.id) {
			now.documents++
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.now = now
	if now.live > s.opts.Exact {
		now.draw()
	}
	if now.live == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	probe, err := s.embed(ctx, []string{"length"})
	switch {
	case err != nil:
		s.opts.Logger.Warn("the embedder did not say whether its vectors still fit the index", "dir", s.dir, "error", err)
	case len(probe[0]) != now.dims:
		s.opts.Logger.Warn("the embedder makes other vectors now; the index is built anew", "dir", s.dir, "was", now.dims, "now", len(probe[0]))
		return s.reset()
	}
	return nil
}

// snapshot returns what the store holds now, or index.ErrClosed.
func (s *Store) snapshot() (*snapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, index.ErrClosed
	}
	return s.now, nil
}

// last is snapshot for callers that may read a closed store as well.
func (s *Store) last() *snapshot {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.now
}

// Passages returns how many passages the store holds.
func (s *Store) Passages() int { return s.last().live }

// Documents returns how many documents the passages come from.
func (s *Store) Documents() int { return s.last().documents }

// Position returns how far the document stream has been read.
func (s *Store) Position() index.Position { return s.last().position }

// Reset empties the store and forgets its position. Searches in progress
// still find what was there.
func (s *Store) Reset(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if _, err := s.snapshot(); err != nil {
		return err
	}
	return s.reset()
}

// reset is Reset; the caller holds writer or is alone.
func (s *Store) reset() error {
	if err := s.disk.reset(s.opts.format()); err != nil {
		return fmt.Errorf("reset vector index: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now, s.where, s.parts = &snapshot{}, map[string][]uint32{}, map[string][]string{}
	return nil
}

// Close closes the store, after a running Apply has finished. A second
// Close does nothing.
func (s *Store) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	was := s.now
	s.closed, s.where, s.parts = true, nil, nil
	s.now = &snapshot{live: was.live, documents: was.documents, position: was.position}
	s.mu.Unlock()
	return s.disk.close()
}
