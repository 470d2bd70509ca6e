package docstream

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// HashHeader carries a document's content hash, by which storing it again is
// skipped.
const HashHeader = "Hop-Hash"

// DefaultPending is how many documents are under way to the server at once.
const DefaultPending = 128

// PublishOptions is useful as its zero value.
type PublishOptions struct {
	// Pending bounds the documents under way; 0 means DefaultPending.
	Pending int
	// OnError is told of every document that could not be stored; nil means
	// that they are only counted.
	OnError func(id string, err error)
}

// PublishStats says what became of the documents.
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
	lanes  []chan messages.Document
	wg     sync.WaitGroup
	once   sync.Once
	err    error // set once

	mu    sync.Mutex
	stats PublishStats
}

// NewPublisher returns a publisher to the document stream, which must exist.
// Call Close, also after an error. Nothing is published after ctx ends.
func NewPublisher(ctx context.Context, js jetstream.JetStream, names messages.Names, opts PublishOptions) (*Publisher, error) {
	if opts.Pending <= 0 {
		opts.Pending = DefaultPending
	}
	p := &Publisher{js: js, names: names, opts: opts, lanes: make([]chan messages.Document, opts.Pending)}
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
		lane := make(chan messages.Document, 1)
		p.lanes[i] = lane
		p.wg.Go(func() {
			for d := range lane {
				p.publish(d)
			}
		})
	}
	return p, nil
}

// Add publishes d, waiting while too many are under way. It fails only when
// the publisher has stopped.
func (p *Publisher) Add(d messages.Document) error {
	// One document always takes the same lane, so that its versions stay in
	// order.
	h := fnv.New32a()
	h.Write([]byte(d.ID))
	select {
	case p.lanes[h.Sum32()%uint32(len(p.lanes))] <- d:
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

func (p *Publisher) publish(d messages.Document) {
	if p.ctx.Err() != nil {
		return
	}
	stored, seq, err := p.store(d)
	switch {
	case err == nil && !stored:
		p.count(func(s *PublishStats) { s.Unchanged++ })
	case err == nil:
		p.count(func(s *PublishStats) {
			s.LastSeq = max(s.LastSeq, seq)
			if d.Deleted {
				s.Deleted++
			} else {
				s.Stored++
			}
		})
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

// errDocument marks errors that concern one document only.
var errDocument = errors.New("document refused")

// refused marks err as concerning one document only, without saying so twice.
type refused struct{ error }

func (r refused) Unwrap() []error { return []error{r.error, errDocument} }

func (p *Publisher) store(d messages.Document) (stored bool, seq uint64, err error) {
	if err := d.Validate(); err != nil {
		return false, 0, refused{fault.AsPermanent(err)}
	}
	if d.Deleted { // a tombstone carries nothing
		d.Title, d.Text = "", ""
	}
	data, err := messages.Encode(&d)
	if err != nil {
		return false, 0, refused{fault.AsPermanent(err)}
	}
	msg := nats.NewMsg(p.names.Of(&d))
	msg.Data = data
	hash := d.Hash()
	msg.Header.Set(HashHeader, hash)
	if limit := p.js.Conn().MaxPayload(); int64(msg.Size()) > limit {
		return false, 0, refused{fault.Permanentf("document %q has %d bytes encoded and the NATS server takes %d: split it, or raise the server's max_payload", d.ID, msg.Size(), limit)}
	}
	if d.Deleted || !p.fresh {
		last, err := p.lastHash(msg.Subject, &d)
		if err != nil {
			return false, 0, err
		}
		if last == hash || last == "" && d.Deleted {
			return false, 0, nil
		}
	}
	var ack *jetstream.PubAck
	err = p.retry(func(ctx context.Context) (err error) {
		ack, err = p.js.PublishMsg(ctx, msg, jetstream.WithRetryAttempts(0))
		return err
	})
	if err != nil {
		return false, 0, err
	}
	return true, ack.Sequence, nil
}

// lastHash returns the hash of the stored version of d, or "" if there is
// none. One written by another client carries no header and is hashed here.
func (p *Publisher) lastHash(subject string, d *messages.Document) (string, error) {
	var last *jetstream.RawStreamMsg
	err := p.retry(func(ctx context.Context) (err error) {
		last, err = p.stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return "", nil
	case err != nil:
		return "", err
	}
	if h := last.Header.Get(HashHeader); h != "" {
		return h, nil
	}
	m, err := messages.Decode(messages.KindDocument, last.Data)
	if err != nil {
		return "unreadable " + strconv.FormatUint(last.Sequence, 10), nil // to be replaced
	}
	stored := m.(*messages.Document)
	if stored.ID != d.ID {
		return "of another document", nil
	}
	return stored.Hash(), nil
}

// attempts bounds how often one document is tried: a server that changes its
// leader is away for a second or two.
const attempts = 5

func (p *Publisher) retry(do func(context.Context) error) error {
	wait := 100 * time.Millisecond
	for n := 1; ; n++ {
		ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
		err := do(ctx)
		cancel()
		switch {
		case err == nil, errors.Is(err, jetstream.ErrMsgNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
			return err
		case p.ctx.Err() != nil:
			return context.Cause(p.ctx)
		}
		err = explain(err)
		if class, _ := fault.Of(err); class == fault.Permanent || errors.Is(err, ErrFull) || n == attempts {
			return err
		}
		select {
		case <-time.After(wait):
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		}
		wait *= 2
	}
}
