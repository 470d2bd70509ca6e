package docstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// FollowOptions is useful as its zero value.
type FollowOptions struct {
	// Batch is the most documents applied at once; 0 means 1,000.
	Batch int
	// Idle is how long to wait for the next document before a batch that is
	// not full is applied; 0 means 25 ms.
	Idle time.Duration
	// Check is after how much silence to look whether stream and consumer
	// still exist, and where the stream ends; 0 means 5 s.
	Check time.Duration
	// Stream is what the document stream is made from where it is gone (see
	// Ensure); nil means that the follower waits until somebody makes it.
	Stream *jetstream.StreamConfig
	// OnBad is told of every message that is no document, with the whole of
	// it. The follower goes on behind it.
	OnBad func(messages.Dead)
	// Logger is told of lost connections, resets and streams made; nil means
	// nobody is.
	Logger *slog.Logger
}

func (o FollowOptions) withDefaults() FollowOptions {
	if o.Batch <= 0 {
		o.Batch = 1000
	}
	if o.Idle <= 0 {
		o.Idle = 25 * time.Millisecond
	}
	if o.Check <= 0 {
		o.Check = 5 * time.Second
	}
	if o.OnBad == nil {
		o.OnBad = func(messages.Dead) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}

// maxBatchBytes bounds a batch of long documents.
const maxBatchBytes = 32 << 20

// Follower keeps a store up to date with the document stream.
type Follower struct {
	js     jetstream.JetStream
	names  messages.Names
	stream string
	filter string // the subjects of documents
	store  index.Store
	opts   FollowOptions

	// bare is set while the store is known to hold no document, at whatever
	// position. Only Run touches it.
	bare bool

	mu       sync.Mutex // guards what follows
	progress Progress
	changed  chan struct{}      // closed and replaced with every change of progress
	nudged   bool               // somebody waits for more than the store holds
	wake     context.CancelFunc // ends the wait for a message; nil while there is none
}

// Follow returns a follower of the document stream, which must exist (see
// Ensure), from the store's position on. Its owner calls Run.
func Follow(ctx context.Context, js jetstream.JetStream, names messages.Names, store index.Store, opts FollowOptions) (*Follower, error) {
	f := &Follower{
		js: js, names: names, stream: names.Stream(messages.KindDocument), filter: names.Filter(messages.KindDocument),
		store: store, opts: opts.withDefaults(), changed: make(chan struct{}),
	}
	s, err := js.Stream(ctx, f.stream)
	if err != nil {
		return nil, fmt.Errorf("follow documents: %w", explain(err))
	}
	// Before Run, nobody must take the position in a stream that is gone for
	// one in this stream.
	f.progress = Progress{Loading: true, Interrupted: "it has not begun yet"}
	seq := uint64(0)
	if f.fits(s.CachedInfo()) {
		seq = store.Position().Sequence
	}
	f.begin(seq, s.CachedInfo().State.LastSeq)
	return f, nil
}

// Run follows until ctx ends, and then returns nil. It takes up again after
// whatever happens to connection, consumer or stream, and gives up only on a
// permanent error, such as a closed store.
func (f *Follower) Run(ctx context.Context) error {
	wait := minWait
	for {
		began := time.Now()
		err := f.session(ctx)
		if ctx.Err() != nil {
			return nil
		}
		f.interrupted(err)
		if errors.Is(err, errOther) && time.Since(began) > minWait {
			continue // the next session empties the store
		}
		if class, _ := fault.Of(err); class == fault.Permanent {
			return fmt.Errorf("follow documents: %w", err)
		}
		if time.Since(began) > 10*maxWait {
			wait = minWait
		}
		f.opts.Logger.Warn("following documents was interrupted", "stream", f.stream, "error", err, "again_in", wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait/2 + rand.N(wait)):
		}
		wait = min(2*wait, maxWait)
	}
}

const (
	minWait = 100 * time.Millisecond
	maxWait = 5 * time.Second
)

// fits reports whether the store's position is one in the stream of info.
func (f *Follower) fits(info *jetstream.StreamInfo) bool {
	p := f.store.Position()
	switch {
	case p == index.Position{}:
		return true
	case p.Stream != ID(info), p.Sequence > info.State.LastSeq:
		return false
	}
	return info.State.Msgs > 0 || f.bare // a purged stream has no documents
}

func (f *Follower) apply(ctx context.Context, docs []messages.Document, pos index.Position) error {
	f.bare = f.bare && len(docs) == 0
	if err := f.store.Apply(ctx, docs, pos); err != nil {
		return err
	}
	f.advance(pos.Sequence)
	return nil
}
