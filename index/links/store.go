package links

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Options is useful as its zero value.
type Options struct {
	// Chunk says how documents are cut. Stores of one process use the same
	// options, so that they know a passage by the same ID.
	Chunk document.ChunkOptions
	// Logger gets a line when the file has to be built again; nil discards it.
	Logger *slog.Logger
}

// Store is an index.Store over an Index: a follower fills it from the document
// stream. A store on disk keeps its passages and its position when it is closed.
// It is safe for concurrent use.
type Store struct {
	opts   Options
	path   string     // of the file; empty in memory
	format string     // what the file depends on besides the documents
	writer sync.Mutex // one Apply or Reset at a time

	position atomic.Pointer[index.Position]
	damage   atomic.Pointer[error] // why it has to be built anew, or nil

	mu    sync.RWMutex // guards index; held for reading while it is used
	index *Index       // nil when closed
}

var _ index.Store = (*Store)(nil)

// Open opens or creates the store in the folder dir; an empty dir means in
// memory. An index that was made with other settings or by another version, or
// that is damaged, is discarded: the store is then empty and at position zero,
// and its follower fills it again from the stream. Only one process can have a folder open:
// another gets an error that says so.
func Open(dir string, opts Options) (*Store, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s := &Store{opts: opts}
	s.position.Store(&index.Position{})
	if dir == "" {
		s.index = New()
		return s, nil
	}
	s.path = filepath.Join(dir, fileName)
	s.format = fmt.Sprintf("%d english %s", fileFormat, opts.Chunk.Cut())
	if err := discard(s.path + ".new"); err != nil { // of a copy that was cut short
		return nil, err
	}
	err := s.open()
	if errors.Is(err, errDamaged) || errors.Is(err, errOther) {
		opts.Logger.Warn("the index of links is built anew", "file", s.path, "reason", err)
		if err = discard(s.path); err == nil {
			err = s.open()
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// errOther says that a file is not of this version and these settings.
var errOther = errors.New("it was made by another version or with other settings")

// open opens the file and reads it.
func (s *Store) open() error {
	f, err := openFile(s.path)
	if err != nil {
		return err
	}
	err = func() error {
		format, position, err := f.about()
		switch {
		case err != nil:
			return err
		case format == "":
			err = f.setFormat(s.format)
		case format != s.format:
			err = fmt.Errorf("%w: %q, and here %q", errOther, format, s.format)
		}
		if err != nil {
			return err
		}
		c, err := f.load()
		if err != nil {
			return err
		}
		c.grow()
		s.index = newIndex(c, f)
		s.position.Store(&position)
		return nil
	}()
	if err != nil {
		return errors.Join(err, f.close())
	}
	return nil
}

// Apply stores docs and removes the deleted ones, together with position, in
// one step: after a crash either all of it is there or nothing. Of several
// versions of a document in docs the last one counts. A document whose ID
// cannot be one fails the batch with a permanent error.
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
	for i := range docs {
		if last[docs[i].ID] == i {
			added = append(added, document.Chunk(docs[i], s.opts.Chunk)...)
		}
	}
	err = x.apply(added, func(c *corpus) (nums []int32) {
		for id := range last {
			nums = append(nums, c.pieces(id)...)
		}
		return nums
	}, &position)
	if errors.Is(err, errDamaged) {
		return s.spoil(err)
	}
	if err != nil {
		return err
	}
	s.position.Store(&position)
	return nil
}

// current returns the index. It fails with index.ErrClosed, or with the damage
// that the follower has yet to repair.
func (s *Store) current() (*Index, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.usable()
}

// usable is current for callers that hold mu.
func (s *Store) usable() (*Index, error) {
	if s.index == nil {
		return nil, index.ErrClosed
	}
	if d := s.damage.Load(); d != nil {
		return nil, fault.AsUnavailable(fmt.Errorf("the index of links is built anew: %w", *d), lockWait)
	}
	return s.index, nil
}

// Search returns the k best passages for query, best first, as Index.Search
// does. When the file turns out to be damaged, searches fail with an unavailable
// fault until the follower has emptied the store. The follower does so because
// the store then reports a position that belongs to no stream.
func (s *Store) Search(ctx context.Context, query string, k int) (found []messages.Passage, err error) {
	err = s.use(func(x *Index) (err error) {
		found, err = x.Search(ctx, query, k)
		return err
	})
	return found, err
}

// Passage returns the passage called id, and whether there is one.
func (s *Store) Passage(ctx context.Context, id string) (p messages.Passage, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return p, false, err
	}
	err = s.use(func(x *Index) (err error) {
		p, ok, err = x.Passage(id)
		return err
	})
	return p, ok, err
}

// use calls fn with the index, which stays open meanwhile.
func (s *Store) use(fn func(*Index) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.usable()
	if err != nil {
		return err
	}
	if err = fn(x); errors.Is(err, errDamaged) {
		return s.spoil(err)
	}
	return err
}

// spoil notes that the store is damaged, and says so.
func (s *Store) spoil(damage error) error {
	if s.damage.CompareAndSwap(nil, &damage) {
		s.opts.Logger.Error("the index of links is built anew", "file", s.path, "reason", damage)
	}
	return fault.AsUnavailable(fmt.Errorf("the index of links is built anew: %w", damage), lockWait)
}

// empty replaces the index by an empty one. The caller holds both locks.
func (s *Store) empty() error {
	s.position.Store(&index.Position{})
	defer s.damage.Store(nil)
	if s.path == "" {
		s.index = New()
		return nil
	}
	old := s.index
	s.index = nil
	if err := errors.Join(old.close(), discard(s.path)); err != nil {
		return err
	}
	return s.open()
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
	x, err := s.current()
	if err != nil {
		return 0
	}
	return x.documents()
}

// Position returns how far the document stream has been read.
func (s *Store) Position() index.Position {
	if s.damage.Load() != nil {
		return index.Position{Stream: "none: the index is damaged"}
	}
	return *s.position.Load()
}

// Reset empties the store and forgets its position. Searches in progress
// finish first.
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
	return s.empty()
}

// Close lets go of file and memory; searches in progress finish first. A
// second Close does nothing.
func (s *Store) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return nil
	}
	x := s.index
	s.index = nil
	return x.close()
}
