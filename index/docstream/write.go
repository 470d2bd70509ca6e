package docstream

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// The headers of a document's message.
const (
	// HashHeader carries a document's content hash, by which storing it again is
	// skipped.
	HashHeader = "Hop-Hash"
	// RootHeader carries the folder that a document comes from, escaped like the
	// path of a URL, by which documents of one ID are told apart without reading
	// them.
	RootHeader = "Hop-Root"
)

// errDocument marks errors that concern one document only.
var errDocument = errors.New("document refused")

// refused marks err as concerning one document only, without saying so twice.
type refused struct{ error }

func (r refused) Unwrap() []error { return []error{r.error, errDocument} }

// ErrClash says that a document of the same ID from another folder is stored.
var ErrClash = errors.New("a document of this ID from another folder is stored")

// Tombstone returns the message that removes the document called id.
func Tombstone(id string) messages.Document { return messages.Document{ID: id, Deleted: true} }

func (p *Publisher) store(d messages.Document) (stored bool, seq uint64, err error) {
	if d.Deleted { // a tombstone carries nothing
		d = Tombstone(d.ID)
	}
	if err := d.Validate(); err != nil {
		return false, 0, refused{fault.AsPermanent(err)}
	}
	if d.Deleted || !p.fresh {
		last, err := p.last(d.ID)
		switch {
		case err != nil:
			return false, 0, err
		case last.same(&d, p.opts.Replace):
			return false, 0, nil
		case last.Clashes(&d) && !p.opts.Replace:
			return false, 0, refused{fault.AsPermanent(fmt.Errorf("%w, %s: give --prefix NAME/ to keep both, or --replace to take it over", ErrClash, last.Root))}
		}
	}
	msg, err := p.message(&d)
	if err != nil {
		return false, 0, refused{fault.AsPermanent(err)}
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

// message returns what is published for d.
func (p *Publisher) message(d *messages.Document) (*nats.Msg, error) {
	data, err := messages.Encode(d)
	if err != nil {
		return nil, err
	}
	msg := nats.NewMsg(p.names.Of(d))
	msg.Data = data
	msg.Header.Set(HashHeader, d.Hash())
	if d.Root != "" {
		msg.Header.Set(RootHeader, (&url.URL{Path: d.Root}).EscapedPath())
	}
	if limit := p.js.Conn().MaxPayload(); int64(msg.Size()) > limit {
		return nil, fmt.Errorf("document %q has %d bytes encoded and the NATS server takes %d: split it, or raise the server's max_payload", d.ID, msg.Size(), limit)
	}
	return msg, nil
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
