// Package bucket is a key-value bucket of JetStream that is made at the first
// write, and made anew where a server comes back without it. What several
// processes need to tell each other, and can do without, is kept in one.
package bucket

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
)

// Config describes a bucket.
type Config struct {
	Name, Description string
	TTL               time.Duration // after which an entry is dropped
	// MaxBytes bounds what is kept; the oldest entries are dropped for new ones.
	// 0 is no bound.
	MaxBytes int64
	// Replicas is how many servers keep it; 0 leaves that to whoever made it, and one
	// server keeps a bucket that is made here.
	Replicas int
	Storage  jetstream.StorageType
	// Logger gets a line for a bucket that was missing after a restart; nil
	// discards it.
	Logger *slog.Logger
}

// ErrNotFound says that there is no entry.
var ErrNotFound = errors.New("no such entry")

// ErrConflict says that the entry is another than the caller knows.
var ErrConflict = errors.New("the entry was changed meanwhile")

// Bucket is safe for concurrent use.
type Bucket struct {
	js     jetstream.JetStream
	name   string
	stream jetstream.StreamConfig
	logger *slog.Logger

	mu sync.Mutex
	kv jetstream.KeyValue // nil until it is known to exist
}

// New returns the bucket that c describes. Nothing is asked of the server yet.
func New(js jetstream.JetStream, c Config) *Bucket {
	s := jetstream.StreamConfig{
		Name: "KV_" + c.Name, Subjects: []string{"$KV." + c.Name + ".>"}, Description: c.Description,
		// A bucket made by the client library refuses new entries when it is full.
		Discard: jetstream.DiscardOld, MaxBytes: c.MaxBytes, MaxAge: c.TTL,
		Storage: c.Storage, Replicas: c.Replicas, AllowDirect: true, AllowRollup: true, DenyDelete: true,
		MaxMsgs: -1, MaxMsgsPerSubject: 1, MaxConsumers: -1, Duplicates: 2 * time.Minute,
	}
	if s.MaxBytes <= 0 {
		s.MaxBytes = -1
	}
	if c.TTL > 0 {
		s.Duplicates = min(s.Duplicates, c.TTL) // the server insists
	}
	return &Bucket{js: js, name: c.Name, stream: s, logger: c.Logger}
}

// Ensure makes the bucket, unless it is there. It fails where it cannot be made, or
// not be changed into what its Config says.
func (b *Bucket) Ensure(ctx context.Context) error {
	_, err := b.open(ctx, true)
	if err != nil {
		return fmt.Errorf("bucket %s: %w", b.name, err)
	}
	return nil
}

// Get returns the entry's value and revision, or ErrNotFound. A lagging replica
// may not have it yet, or have an older one.
func (b *Bucket) Get(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	kv, err := b.open(ctx, false)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	e, err := kv.Get(ctx, key)
	if err != nil {
		return nil, 0, b.told(err)
	}
	return e.Value(), e.Revision(), nil
}

// Put stores an entry, and returns when the server has it.
func (b *Bucket) Put(ctx context.Context, key string, value []byte) error {
	kv, err := b.open(ctx, true)
	if err == nil {
		_, err = kv.Put(ctx, key, value)
	}
	return b.told(err)
}

// Replace stores an entry in place of that with the given revision; 0 means that
// there is none. It fails with ErrConflict if that is not so.
func (b *Bucket) Replace(ctx context.Context, key string, value []byte, revision uint64) error {
	kv, err := b.open(ctx, true)
	if err != nil {
		return err
	}
	if revision == 0 {
		_, err = kv.Create(ctx, key, value)
	} else {
		_, err = kv.Update(ctx, key, value, revision)
	}
	return b.told(err)
}

// Delete removes an entry; one that is not there is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	kv, err := b.open(ctx, false)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	if err == nil {
		err = kv.Delete(ctx, key)
	}
	return b.told(err)
}

// All returns every entry, by key: none where there is no bucket.
func (b *Bucket) All(ctx context.Context) (map[string][]byte, error) {
	kv, err := b.open(ctx, false)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, b.told(err)
	}
	defer func() { _ = w.Stop() }()
	all := map[string][]byte{}
	for {
		select {
		case e := <-w.Updates():
			if e == nil { // that was the last one
				return all, nil
			}
			all[e.Key()] = e.Value()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Changes returns a number that is another after every change of an entry; 0 where
// there is no bucket.
func (b *Bucket) Changes(ctx context.Context) (uint64, error) {
	s, err := b.js.Stream(ctx, b.stream.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return s.CachedInfo().State.LastSeq, nil
}

// The server's error codes for a wrong revision.
const (
	codeWrongLastSeq         = 10071
	codeWrongLastSeqConstant = 10164
)

// told returns err as the package tells it. After an error of the server the
// bucket is looked up again: it may be gone, after a server lost its disk. A
// server that is silent has lost nothing yet.
func (b *Bucket) told(err error) error {
	api, ok := errors.AsType[*jetstream.APIError](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return ErrNotFound
	case errors.Is(err, jetstream.ErrKeyExists), ok && (api.ErrorCode == codeWrongLastSeq || api.ErrorCode == codeWrongLastSeqConstant):
		return ErrConflict
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, nats.ErrTimeout):
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kv = nil
	return err
}

func (b *Bucket) open(ctx context.Context, create bool) (jetstream.KeyValue, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kv != nil {
		return b.kv, nil
	}
	if create {
		if _, err := durable.Stream(ctx, b.js, b.stream, b.logger); err != nil {
			return nil, err
		}
	}
	var err error
	b.kv, err = b.js.KeyValue(ctx, b.name)
	return b.kv, err
}

// Key encodes any text in the characters that a key may have.
func Key(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
