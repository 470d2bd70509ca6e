package bleve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Store is an index.Store over a Bleve index, of which it uses the postings, the
// analysis and the storage, but not the scoring. It is safe for concurrent
// use.
type Store struct {
	dir      string
	opts     Options
	analyzer analysis.Analyzer
	scratch  sync.Pool // of *scratch
	cache    cache

	writer sync.Mutex // one Apply at a time

	mu     sync.RWMutex // guards the two below against Reset and Close
	index  bleve.Index
	reader bleveapi.Index // index's own inside

	state atomic.Pointer[state] // after the last Apply
}

type state struct {
	totals   totals
	position index.Position
}

// Open opens or creates the store in dir; an empty dir means in memory,
// which suits a corpus that is loaded in large batches: what is on disk is
// merged in the background, and thousands of small batches in memory are not.
// Only one process can have a store open: another gets an error that says so.
func Open(dir string, opts Options) (*Store, error) {
	b := &Store{dir: dir, opts: opts.withDefaults()}
	mapping := bleve.NewIndexMapping()
	b.analyzer = mapping.AnalyzerNamed(en.AnalyzerName)
	if b.analyzer == nil {
		return nil, errors.New("bleve knows no English analyzer")
	}
	b.scratch.New = func() any { return new(scratch) }
	if err := b.open(); err != nil {
		return nil, err
	}
	stored, err := b.internal(keyFormat)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if want := formatOf(b.opts); string(stored) != want {
		b.opts.Logger.Warn("index was made with other settings and is built anew", "dir", dir, "was", string(stored), "now", want)
		if err := b.Reset(context.Background()); err != nil {
			return nil, errors.Join(err, b.Close())
		}
		return b, nil
	}
	return b, b.loadState()
}

// lockWait is how long opening waits for another process to let go.
const lockWait = "500ms"

// open opens or creates the index itself; the caller holds mu or is alone.
func (b *Store) open() error {
	// Term readers are kept for the next search, one per term of a question.
	config := map[string]any{"bolt_timeout": lockWait, "fieldTFRCacheThreshold": 16}
	var err error
	switch {
	case b.dir == "":
		b.index, err = b.create("", config)
	case fileExists(filepath.Join(b.dir, "index_meta.json")):
		b.index, err = bleve.OpenUsing(b.dir, config)
	default:
		// Left over from a Reset that was cut short.
		if err := os.RemoveAll(filepath.Join(b.dir, "store")); err != nil {
			return fmt.Errorf("index %s: %w", b.dir, err)
		}
		b.index, err = b.create(b.dir, config)
	}
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "timeout"):
		return fault.Permanentf("index %s is in use by another process: stop that one, or give this one its own data directory", b.dir)
	default:
		return fault.Permanentf("index %s cannot be opened (delete that folder to have it built anew from the document stream): %w", b.dir, err)
	}
	b.reader, err = b.index.Advanced()
	return err
}

func (b *Store) create(dir string, config map[string]any) (bleve.Index, error) {
	mapping := bleve.NewIndexMapping()
	idx, err := bleve.NewUsing(dir, mapping, scorch.Name, scorch.Name, config)
	if err != nil {
		return nil, err
	}
	batch := idx.NewBatch()
	batch.SetInternal(keyFormat, []byte(formatOf(b.opts)))
	if err := idx.Batch(batch); err != nil {
		return nil, errors.Join(err, idx.Close())
	}
	b.state.Store(&state{})
	return idx, nil
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (b *Store) internal(key []byte) ([]byte, error) {
	if b.reader == nil {
		return nil, index.ErrClosed
	}
	r, err := b.reader.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.GetInternal(key)
}

func (b *Store) loadState() error {
	t, err := b.internal(keyTotals)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	p, err := b.internal(keyPosition)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	b.state.Store(&state{totals: decodeTotals(t), position: decodePosition(p)})
	return nil
}

// Passages returns how many passages the store holds.
func (b *Store) Passages() int { return int(b.state.Load().totals.Passages) }

// Documents returns how many documents the passages come from.
func (b *Store) Documents() int { return int(b.state.Load().totals.Documents) }

// Position returns how far the document stream has been read.
func (b *Store) Position() index.Position { return b.state.Load().position }

// Passage returns the passage called id, and whether there is one.
func (b *Store) Passage(ctx context.Context, id string) (messages.Passage, bool, error) {
	var found *messages.Passage
	err := b.view(ctx, func(r bleveapi.IndexReader) (err error) {
		found, _, err = load(r, id)
		return err
	})
	if err != nil || found == nil {
		return messages.Passage{}, false, err
	}
	return *found, true, nil
}

// view calls fn with a snapshot of the index, which stays open meanwhile.
func (b *Store) view(ctx context.Context, fn func(bleveapi.IndexReader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.index == nil {
		return index.ErrClosed
	}
	r, err := b.reader.Reader()
	if err != nil {
		return fmt.Errorf("read index: %w", err)
	}
	defer r.Close()
	return fn(r)
}

// Reset empties the store and forgets its position. Searches in progress
// finish first.
func (b *Store) Reset(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.writer.Lock()
	defer b.writer.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		return index.ErrClosed
	}
	err := b.index.Close()
	b.index, b.reader = nil, nil
	b.cache.drop()
	if err != nil {
		return fmt.Errorf("reset index: %w", err)
	}
	if b.dir != "" {
		// The description first: without it, what is left is no index.
		err = errors.Join(os.RemoveAll(filepath.Join(b.dir, "index_meta.json")), os.RemoveAll(filepath.Join(b.dir, "store")))
		if err != nil {
			return fmt.Errorf("reset index: %w", err)
		}
	}
	return b.open()
}

// Close closes the store; searches in progress finish first. A second Close
// does nothing.
func (b *Store) Close() error {
	b.writer.Lock()
	defer b.writer.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		return nil
	}
	err := b.index.Close()
	b.index, b.reader = nil, nil
	b.cache.drop()
	return err
}
