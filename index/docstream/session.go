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
	return f.read(ctx, cons, it, pos)
}

// read applies what comes, in batches, until something goes wrong.
func (f *Follower) read(ctx context.Context, cons jetstream.Consumer, it jetstream.MessagesContext, pos index.Position) error {
	var docs []messages.Document
	size, seen := 0, uint64(0) // bytes in docs; messages received
	unapplied, suspect := false, false
	quiet := time.Now() // since when nothing came, or when that was looked into
	for {
		m, err := f.next(ctx, it, !unapplied)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.Canceled): // nudged
			continue
		case errors.Is(err, context.DeadlineExceeded):
			if unapplied {
				break
			}
			nudged := f.answerNudge()
			if time.Since(quiet) >= f.opts.Check {
				quiet = time.Now()
				sent, err := f.sent(ctx, cons)
				switch {
				case err != nil:
					return err
				case sent > seen && suspect: // still
					return fmt.Errorf("the consumer sent %d messages and %d arrived", sent, seen)
				}
				suspect = sent > seen
			} else if !nudged {
				continue
			}
			if err := f.catchUp(ctx, cons, seen, &pos); err != nil {
				return err
			}
			continue
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
			pos.Sequence, unapplied, suspect, quiet = meta.Sequence.Stream, true, false, time.Now()
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
		ID:         m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:],
		Subject:    m.Subject(),
		Error:      err.Error(),
		Deliveries: int(meta.NumDelivered),
		At:         meta.Timestamp,
		Data:       m.Data(),
	}
}
