package docstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index"
	"hopstream/messages"
)

// session follows until something goes wrong.
func (f *Follower) session(ctx context.Context) error {
	s, err := f.js.Stream(ctx, f.stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) && f.opts.Stream != nil {
		s, err = Ensure(ctx, f.js, f.names, *f.opts.Stream, f.opts.Logger)
	}
	if err != nil {
		if errors.Is(err, nats.ErrConnectionClosed) {
			return explain(err)
		}
		return err // a stream that is gone may come back
	}
	info := s.CachedInfo()
	if !f.fits(info) {
		f.opts.Logger.Warn("the store does not belong to this document stream and is built anew", "stream", f.stream)
		// Who searches must know of it before it begins.
		f.change(func(p *Progress) {
			p.Epoch++
			p.Applied, p.Loading, p.End = 0, true, info.State.LastSeq
		})
		if err := f.store.Reset(ctx); err != nil {
			return err
		}
		f.bare = true
	}
	pos := index.Position{Stream: ID(info), Sequence: f.store.Position().Sequence}
	f.bare = f.bare || f.store.Position() == index.Position{}
	f.begin(pos.Sequence, info.State.LastSeq)
	// A consumer of our own making rather than nats.go's ordered one: that
	// replaces itself unseen, and would go on in a stream made anew as if it
	// were the old one. Here whatever is lost ends the session, and the next
	// one starts from what the store has.
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Description:       "hopstream: fills an index",
		FilterSubject:     f.filter,
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
	if err := f.catchUp(ctx, cons, 0, &pos); err != nil {
		return err
	}
	f.interrupted(nil)
	it, err := cons.Messages(jetstream.PullMaxMessages(2 * f.opts.Batch))
	if err != nil {
		return err
	}
	defer it.Stop()
	return (&reader{Follower: f, cons: cons, it: it, pos: pos, quiet: time.Now()}).read(ctx)
}

// reader is what a session reads from its consumer, and how far it is.
type reader struct {
	*Follower
	cons jetstream.Consumer
	it   jetstream.MessagesContext

	docs      []messages.Document // of the batch that is being read
	size      int                 // bytes in docs
	pos       index.Position      // behind the last message read
	unapplied bool                // the store does not know of pos yet

	seen    uint64    // messages received
	quiet   time.Time // since when nothing came, or when that was looked into
	suspect bool      // the consumer had sent more than arrived, when that was looked into
}

// read applies what comes, in batches, until something goes wrong.
func (r *reader) read(ctx context.Context) error {
	for {
		m, err := r.next(ctx, r.it, !r.unapplied)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.Canceled): // nudged
			continue
		case errors.Is(err, context.DeadlineExceeded) && r.unapplied:
			err = r.flush(ctx)
		case errors.Is(err, context.DeadlineExceeded):
			err = r.idle(ctx)
		case err == nil:
			err = r.take(ctx, m)
		}
		if err != nil {
			return err
		}
	}
}

// take adds a message to the batch, and applies that where it is full.
func (r *reader) take(ctx context.Context, m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	if r.seen++; meta.Sequence.Consumer != r.seen {
		return fmt.Errorf("message %d of the consumer is missing", r.seen)
	}
	if d, err := r.decode(m); err != nil {
		r.opts.OnBad(dead(m, meta, err))
	} else {
		r.docs = append(r.docs, *d)
		r.size += len(m.Data())
	}
	r.pos.Sequence, r.unapplied, r.suspect, r.quiet = meta.Sequence.Stream, true, false, time.Now()
	if len(r.docs) < r.opts.Batch && r.size < maxBatchBytes {
		return nil
	}
	return r.flush(ctx)
}

// flush applies the batch.
func (r *reader) flush(ctx context.Context) error {
	if err := r.apply(ctx, r.docs, r.pos); err != nil {
		return err
	}
	clear(r.docs)
	r.docs, r.size, r.unapplied = r.docs[:0], 0, false
	return nil
}

// idle looks, after a nudge and now and then, whether there is truly nothing.
func (r *reader) idle(ctx context.Context) error {
	nudged := r.answerNudge()
	if time.Since(r.quiet) >= r.opts.Check {
		r.quiet = time.Now()
		sent, err := r.sent(ctx, r.cons)
		switch {
		case err != nil:
			return err
		case sent > r.seen && r.suspect: // still
			return fmt.Errorf("the consumer sent %d messages and %d arrived", sent, r.seen)
		}
		r.suspect = sent > r.seen
	} else if !nudged {
		return nil
	}
	return r.catchUp(ctx, r.cons, r.seen, &r.pos)
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
		ID:         idIn(m.Subject()),
		Subject:    m.Subject(),
		Error:      err.Error(),
		Deliveries: int(meta.NumDelivered),
		At:         meta.Timestamp,
		Data:       m.Data(),
	}
}

// idIn returns what a subject says of the document's ID, as it stands there.
func idIn(subject string) string {
	parts := strings.Split(subject, ".")
	return parts[min(3, len(parts)-1)] // prefix, version, kind, ID
}
