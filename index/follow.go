package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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
	// still exist; 0 means 5 s.
	Check time.Duration
	// OnBad is told of every message that is no document, with the whole of
	// it. The follower goes on behind it.
	OnBad func(messages.Dead)
	// Logger is told of lost connections and resets; nil means nobody is.
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
	store  Store
	opts   FollowOptions

	mu      sync.Mutex
	applied uint64        // the store's position in the stream now followed
	changed chan struct{} // closed and replaced with every change of applied
}

// Follow returns a follower of the document stream, which must exist (see
// EnsureStream), from the store's position on. Its owner calls Run.
func Follow(ctx context.Context, js jetstream.JetStream, names messages.Names, store Store, opts FollowOptions) (*Follower, error) {
	f := &Follower{
		js: js, names: names, stream: names.Stream(messages.KindDocument),
		store: store, opts: opts.withDefaults(), changed: make(chan struct{}),
	}
	s, err := js.Stream(ctx, f.stream)
	if err != nil {
		return nil, fmt.Errorf("follow documents: %w", explain(err))
	}
	// Before Run, WaitFor must not take the position in a stream that is gone
	// for one in this stream.
	if f.fits(s.CachedInfo()) {
		f.applied = store.Position().Sequence
	}
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
	case p == Position{}:
		return true
	case p.Stream != streamID(info), p.Sequence > info.State.LastSeq:
		return false
	}
	return info.State.Msgs > 0 // a purged stream has no documents
}

// session follows until something goes wrong.
func (f *Follower) session(ctx context.Context) error {
	s, err := f.js.Stream(ctx, f.stream)
	if err != nil {
		if errors.Is(err, nats.ErrConnectionClosed) {
			return explain(err)
		}
		return err // a stream that is gone may come back
	}
	info := s.CachedInfo()
	if !f.fits(info) {
		f.opts.Logger.Warn("the store does not belong to this document stream and is built anew", "stream", f.stream)
		if err := f.store.Reset(ctx); err != nil {
			return err
		}
		f.advance(0)
	}
	pos := Position{Stream: streamID(info), Sequence: f.store.Position().Sequence}
	// A consumer of our own making rather than nats.go's ordered one: that
	// replaces itself unseen, and would go on in a stream made anew as if it
	// were the old one. Here whatever is lost ends the session, and the next
	// one starts from what the store has.
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Description:       "hopstream: fills an index",
		FilterSubject:     f.names.Filter(messages.KindDocument),
		DeliverPolicy:     jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:       pos.Sequence + 1,
		AckPolicy:         jetstream.AckNonePolicy,
		InactiveThreshold: time.Minute,
		MemoryStorage:     true,
		Replicas:          1,
	})
	if err != nil {
		return err
	}
	if cons.CachedInfo().NumPending == 0 && info.State.LastSeq > pos.Sequence {
		// Whatever came after our position has been removed since.
		pos.Sequence = info.State.LastSeq
		if err := f.apply(ctx, nil, pos); err != nil {
			return err
		}
	}
	it, err := cons.Messages(jetstream.PullMaxMessages(2 * f.opts.Batch))
	if err != nil {
		return err
	}
	defer it.Stop()
	return f.read(ctx, cons, it, pos)
}

// read applies what comes, in batches, until something goes wrong.
func (f *Follower) read(ctx context.Context, cons jetstream.Consumer, it jetstream.MessagesContext, pos Position) error {
	var docs []messages.Document
	size, seen := 0, uint64(0) // bytes in docs; messages received
	unapplied, suspect := false, false
	for {
		m, err := next(ctx, it, f.wait(unapplied))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			if !unapplied {
				sent, err := f.sent(ctx, cons)
				switch {
				case err != nil:
					return err
				case sent > seen && suspect: // still
					return fmt.Errorf("the consumer sent %d messages and %d arrived", sent, seen)
				}
				suspect = sent > seen
				continue
			}
		case err != nil:
			return err
		default:
			meta, err := m.Metadata()
			if err != nil {
				return err
			}
			if seen++; meta.Sequence.Consumer != seen {
				return fmt.Errorf("message %d of the consumer is missing", seen)
			}
			if d, err := f.decode(m); err != nil {
				f.opts.OnBad(dead(m, meta, err))
			} else {
				docs = append(docs, *d)
				size += len(m.Data())
			}
			pos.Sequence, unapplied, suspect = meta.Sequence.Stream, true, false
			if len(docs) < f.opts.Batch && size < maxBatchBytes {
				continue
			}
		}
		if err := f.apply(ctx, docs, pos); err != nil {
			return err
		}
		clear(docs)
		docs, size, unapplied = docs[:0], 0, false
	}
}

func (f *Follower) wait(unapplied bool) time.Duration {
	if unapplied {
		return f.opts.Idle
	}
	return f.opts.Check
}

func next(ctx context.Context, it jetstream.MessagesContext, wait time.Duration) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return it.Next(jetstream.NextContext(ctx))
}

// sent asks how many messages the consumer has sent. Silence means that there
// is nothing only if the consumer, and with it its stream, still exists, and
// nothing it sent was lost with a connection.
func (f *Follower) sent(ctx context.Context, cons jetstream.Consumer) (uint64, error) {
	// A question to a server that went away is never answered.
	ctx, cancel := context.WithTimeout(ctx, max(f.opts.Check, time.Second))
	defer cancel()
	info, err := cons.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.Delivered.Consumer, nil
}

func (f *Follower) apply(ctx context.Context, docs []messages.Document, pos Position) error {
	if err := f.store.Apply(ctx, docs, pos); err != nil {
		return err
	}
	f.advance(pos.Sequence)
	return nil
}

func (f *Follower) advance(seq uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.applied = seq
	close(f.changed)
	f.changed = make(chan struct{})
}

// WaitFor returns when the store holds everything up to seq (as Publish
// reports it), or when ctx ends. seq must be one of the stream now followed:
// it means nothing across a stream that is made anew meanwhile.
func (f *Follower) WaitFor(ctx context.Context, seq uint64) error {
	for {
		f.mu.Lock()
		applied, changed := f.applied, f.changed
		f.mu.Unlock()
		if applied >= seq {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the index has read the document stream up to %d, waiting for %d: %w", applied, seq, ctx.Err())
		}
	}
}

// Lag returns how many messages of the stream the store has not read yet: at
// most so many, since those replaced meanwhile are counted too.
func (f *Follower) Lag(ctx context.Context) (uint64, error) {
	s, err := f.js.Stream(ctx, f.stream)
	if err != nil {
		return 0, fmt.Errorf("lag of the index: %w", explain(err))
	}
	state := s.CachedInfo().State
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.applied >= state.LastSeq {
		return 0, nil
	}
	return min(state.LastSeq-f.applied, state.Msgs), nil
}

func (f *Follower) decode(m jetstream.Msg) (*messages.Document, error) {
	decoded, err := messages.Decode(messages.KindDocument, m.Data())
	if err != nil {
		return nil, err
	}
	d := decoded.(*messages.Document)
	if want := f.names.Of(d); want != m.Subject() {
		return nil, fmt.Errorf("document %q is stored under the subject of another one: its own is %s", d.ID, want)
	}
	return d, nil
}

func dead(m jetstream.Msg, meta *jetstream.MsgMetadata, err error) messages.Dead {
	return messages.Dead{
		Stage:      "index",
		ID:         m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:],
		Subject:    m.Subject(),
		Error:      err.Error(),
		Deliveries: int(meta.NumDelivered),
		At:         meta.Timestamp,
		Data:       m.Data(),
	}
}
