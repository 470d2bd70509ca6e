package log

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// FirstSince returns the sequence of the first message of kind k that was stored
// at or after t. It returns ErrNotFound where there is none.
func (l *Log) FirstSince(ctx context.Context, k messages.Kind, t time.Time) (uint64, error) {
	got, err := l.collect(ctx, k, directRequest{StartTime: &t, NextFor: l.names.Filter(k), Batch: 1})
	if err != nil {
		return 0, err
	}
	if len(got) == 0 {
		return 0, ErrNotFound
	}
	return got[0].Seq, nil
}

// StoredAt returns when the first message of kind k with a sequence of at least
// seq was stored. It returns ErrNotFound where there is none.
func (l *Log) StoredAt(ctx context.Context, k messages.Kind, seq uint64) (time.Time, error) {
	got, err := l.Range(ctx, k, seq, 1)
	if err != nil {
		return time.Time{}, err
	}
	if len(got) == 0 {
		return time.Time{}, ErrNotFound
	}
	return got[0].Time, nil
}

// DropBefore removes the messages of kind k with a sequence below seq. An error
// is a BrokerError.
func (l *Log) DropBefore(ctx context.Context, k messages.Kind, seq uint64) error {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	s, err := l.js.Stream(ctx, l.names.Stream(k))
	if err == nil {
		err = s.Purge(ctx, jetstream.WithPurgeSequence(seq))
	}
	if err != nil {
		return &BrokerError{fmt.Errorf("drop the oldest of %s: %w", l.names.Stream(k), err)}
	}
	return nil
}

// tellAged logs how many messages of kind k the server is about to drop, because
// their age is more than a limit that the stream did not have until now.
func (l *Log) tellAged(ctx context.Context, c Config, k messages.Kind, limit time.Duration) {
	if limit <= 0 || c.Logger == nil {
		return
	}
	s, err := l.js.Stream(ctx, l.names.Stream(k))
	if err != nil {
		return // it is made now, or making it says what is wrong
	}
	info := s.CachedInfo()
	before, cut := info.Config.MaxAge, time.Now().Add(-limit)
	if before != 0 && before <= limit || info.State.Msgs == 0 || !info.State.FirstTime.Before(cut) {
		return
	}
	aged := info.State.Msgs
	if first, err := l.FirstSince(ctx, k, cut); err == nil {
		aged = first - info.State.FirstSeq
	} else if !errors.Is(err, ErrNotFound) {
		return
	}
	c.Logger.Warn("the oldest messages of a stream are dropped, since they are now to be kept for less long",
		"stream", info.Config.Name, "messages", aged, "kept_for", limit, "kept_for_before", before)
}
