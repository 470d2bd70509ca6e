package links

import (
	"context"
	"sync"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Options is useful as its zero value.
type Options struct {
	// Chunk says how documents are cut: as for the store beside it, so that
	// both know a passage by the same ID.
	Chunk index.Options
}

// Store is an index.Store over an Index: a follower fills it from the document
// stream. It keeps nothing on disk; a new one is at position zero and is
// filled again from the stream's beginning. It is safe for concurrent use.
type Store struct {
	opts   Options
	writer sync.Mutex // one Apply at a time

	mu       sync.RWMutex // guards what follows
	index    *Index       // nil when closed
	pieces   map[string][]string
	position index.Position
}

var _ index.Store = (*Store)(nil)

// Open returns an empty store.
func Open(opts Options) (*Store, error) {
	return &Store{opts: opts, index: New(), pieces: map[string][]string{}}, nil
}

// current returns the index, or index.ErrClosed.
func (s *Store) current() (*Index, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.index == nil {
		return nil, index.ErrClosed
	}
	return s.index, nil
}

// Apply stores docs and removes the deleted ones, together with position. Of
// several versions of a document in docs the last one counts. A document whose
// ID cannot be one fails the batch with a permanent error.
func (s *Store) Apply(ctx context.Context, docs []messages.Document, position index.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	last := make(map[string]int, len(docs))
	for i := range docs {
		if err := messages.CheckDocID(docs[i].ID); err != nil {
			return fault.AsPermanent(err)
		}
		last[docs[i].ID] = i
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	x, err := s.current()
	if err != nil {
		return err
	}
	var added []messages.Passage
	var removed []string
	pieces := make(map[string][]string, len(last))
	for i := range docs {
		id := docs[i].ID
		if last[id] != i {
			continue
		}
		pieces[id] = nil
		removed = append(removed, s.pieces[id]...) // only a writer changes pieces
		for _, p := range index.Chunk(docs[i], s.opts.Chunk) {
			added = append(added, p)
			pieces[id] = append(pieces[id], p.ID)
		}
	}
	x.Apply(added, removed)
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, ids := range pieces {
		if len(ids) == 0 {
			delete(s.pieces, id)
		} else {
			s.pieces[id] = ids
		}
	}
	s.position = position
	return nil
}

// Search returns the k best passages for query, best first, as Index.Search
// does.
func (s *Store) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	x, err := s.current()
	if err != nil {
		return nil, err
	}
	return x.Search(ctx, query, k)
}

// Passage returns the passage called id, and whether there is one.
func (s *Store) Passage(ctx context.Context, id string) (messages.Passage, bool, error) {
	if err := ctx.Err(); err != nil {
		return messages.Passage{}, false, err
	}
	x, err := s.current()
	if err != nil {
		return messages.Passage{}, false, err
	}
	p, ok := x.Passage(id)
	return p, ok, nil
}

// Passages returns how many passages the store holds.
func (s *Store) Passages() int {
	x, err := s.current()
	if err != nil {
		return 0
	}
	return x.Len()
}

// Documents returns how many documents the passages come from.
func (s *Store) Documents() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.pieces)
}

// Position returns how far the document stream has been read.
func (s *Store) Position() index.Position {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.position
}

// Reset empties the store and forgets its position. Searches in progress
// still find what was there.
func (s *Store) Reset(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return index.ErrClosed
	}
	s.index, s.pieces, s.position = New(), map[string][]string{}, index.Position{}
	return nil
}

// Close lets go of all memory. A second Close does nothing.
func (s *Store) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index, s.pieces = nil, nil
	return nil
}
