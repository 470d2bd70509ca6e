package docstream

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// DefaultPending is how many documents are under way to the server at once.
const DefaultPending = 128

// PublishOptions is useful as its zero value.
type PublishOptions struct {
	// Pending bounds the documents under way; 0 means DefaultPending.
	Pending int
	// Replace has documents replace those of the same ID from other folders,
	// which are refused otherwise (ErrClash).
	Replace bool
	// OnError is told of every document that could not be stored; nil means
	// that they are only counted.
	OnError func(id string, err error)
}

// PublishStats says what became of the documents. The parts of one count once:
// as stored if one of them is new or changed.
type PublishStats struct {
	Stored    int    // new or changed
	Unchanged int    // already there, or already removed
	Deleted   int    // removed
	Failed    int    // refused: OnError was told why
	LastSeq   uint64 // up to where a Follower must read to have them all
}

// Publish writes docs to the document stream, which must exist. It returns
// when all are stored, or at the first error that concerns more than one
// document: a stream that is full (ErrFull) or gone, a lost connection,
// the end of ctx. What was stored until then stays, and is skipped next time.
func Publish(ctx context.Context, js jetstream.JetStream, names messages.Names, docs iter.Seq[messages.Document], opts PublishOptions) (PublishStats, error) {
	p, err := NewPublisher(ctx, js, names, opts)
	if err != nil {
		return PublishStats{}, err
	}
	for d := range docs {
		if err := p.Add(d); err != nil {
			break // Close says the same
		}
	}
	return p.Close()
}

// Publisher is Publish for whoever has one document at a time.
type Publisher struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	js     jetstream.JetStream
	names  messages.Names
	opts   PublishOptions
	stream jetstream.Stream
	fresh  bool // the stream was empty: nothing to compare with
	roots  rootNames
	lanes  []chan change
	wg     sync.WaitGroup
	once   sync.Once
	err    error // set once

	mu    sync.Mutex
	stats PublishStats
	parts map[string]bool   // whether one is stored, by the ID of the document whose parts they are
	known map[string]Stored // what Look found, until it is needed
}

// NewPublisher returns a publisher to the document stream, which must exist.
// Call Close, also after an error. Nothing is published after ctx ends.
func NewPublisher(ctx context.Context, js jetstream.JetStream, names messages.Names, opts PublishOptions) (*Publisher, error) {
	if opts.Pending <= 0 {
		opts.Pending = DefaultPending
	}
	p := &Publisher{js: js, names: names, opts: opts, lanes: make([]chan change, opts.Pending), known: map[string]Stored{}, parts: map[string]bool{}}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	err := p.retry(func(ctx context.Context) (err error) {
		p.stream, err = js.Stream(ctx, names.Stream(messages.KindDocument))
		return err
	})
	if err != nil {
		p.cancel(nil)
		return nil, fmt.Errorf("document stream: %w", err)
	}
	state := p.stream.CachedInfo().State
	p.fresh = state.Msgs == 0
	p.stats.LastSeq = state.LastSeq
	for i := range p.lanes {
		lane := make(chan change, 1)
		p.lanes[i] = lane
		p.wg.Go(func() {
			for c := range lane {
				p.publish(c)
			}
		})
	}
	return p, nil
}

// change is a document to publish, and those to remove before.
type change struct {
	doc     messages.Document
	instead []string
}

// Add publishes d, waiting while too many are under way. It fails only when
// the publisher has stopped. Instead are the IDs of documents whose place d
// takes: they are removed before, if they are there, and not counted. Where the
// parts of a document change, they must be those that share passages with d.
func (p *Publisher) Add(d messages.Document, instead ...string) error {
	// One document always takes the same lane with all its parts, so that its
	// versions stay in order.
	whole, _, _ := messages.SplitPart(d.ID)
	h := fnv.New32a()
	h.Write([]byte(whole))
	select {
	case p.lanes[h.Sum32()%uint32(len(p.lanes))] <- change{d, instead}:
		return nil
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
}

// Close waits for what is under way and says what became of all of it. Add
// must not be called any more; a second Close says the same again.
func (p *Publisher) Close() (PublishStats, error) {
	p.once.Do(func() {
		for _, lane := range p.lanes {
			close(lane)
		}
		p.wg.Wait()
		p.err = context.Cause(p.ctx)
		p.cancel(nil)
	})
	return p.stats, p.err
}

func (p *Publisher) count(fn func(*PublishStats)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fn(&p.stats)
}

// done counts a document that is stored, or was already.
func (p *Publisher) done(d *messages.Document, stored bool, seq uint64) {
	whole, first, _ := messages.SplitPart(d.ID)
	p.count(func(s *PublishStats) {
		s.LastSeq = max(s.LastSeq, seq)
		counted := false // another part of the document, as what this one would be
		if first >= 0 && !d.Deleted {
			before, seen := p.parts[whole]
			p.parts[whole] = before || stored
			switch {
			case seen && !before && stored:
				s.Unchanged--
			case seen:
				counted = true
			}
		}
		switch {
		case counted:
		case !stored:
			s.Unchanged++
		case d.Deleted:
			s.Deleted++
		default:
			s.Stored++
		}
	})
}

func (p *Publisher) publish(c change) {
	if p.ctx.Err() != nil {
		return
	}
	for _, id := range c.instead {
		if _, _, err := p.store(Tombstone(id)); err != nil {
			p.cancel(fmt.Errorf("remove document %q: %w", id, err))
			return
		}
	}
	d := c.doc
	stored, seq, err := p.store(d)
	switch {
	case err == nil:
		p.done(&d, stored, seq)
	case errors.Is(err, errDocument):
		p.count(func(s *PublishStats) {
			s.Failed++
			if p.opts.OnError != nil {
				p.opts.OnError(d.ID, err)
			}
		})
	default:
		p.cancel(fmt.Errorf("store document %q: %w", d.ID, err))
	}
}
