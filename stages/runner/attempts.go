package runner

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages/fault"
)

// A message is given up after Stage.Attempts deliveries, so that one that always
// fails, or crashes its workers, is not delivered for ever. A delivery that a
// worker handed back because a service was away is discounted: only the
// deliveries after the last discounted one count. Each worker remembers that one
// for its messages. It also records it in a key-value bucket, for other processes
// and for itself after a restart; to save writes, only when half of the attempts
// have passed since the last record. A message that crashes its workers is never
// discounted, since no worker lives to do it.

// discount records that this delivery does not count as an attempt, since a
// service was away.
func (s *worker) discount(ctx context.Context, j *job) {
	n, every := int(j.meta.NumDelivered), max(1, s.stage.Attempts/2)
	m := s.history.change(j.msg.Subject(), func(m *attempts) { m.discounted = n })
	if n-m.shared < every {
		return
	}
	if err := s.bucket.put(ctx, j.msg.Subject(), n); err != nil {
		s.logger.Debug("cannot record that a delivery does not count", "question", j.key.ID, "error", err)
		return
	}
	s.history.change(j.msg.Subject(), func(m *attempts) { m.shared = n })
}

// tried reports whether the message was delivered limit times since it was
// last discounted.
func (s *worker) tried(ctx context.Context, j *job, limit int) bool {
	n := int(j.meta.NumDelivered)
	if n-s.history.get(j.msg.Subject()).discounted < limit {
		return false
	}
	shared, err := s.bucket.get(ctx, j.msg.Subject())
	if err != nil {
		s.logger.Warn("cannot read whether a message was discounted", "question", j.key.ID, "error", err)
	}
	return n-shared < 0 || n-shared >= limit // a record of more deliveries than this message has had is another message's
}

// Delays of a message whose service is away.
const (
	leastAway = 100 * time.Millisecond
	mostAway  = 5 * time.Minute
)

// awayDelay is the delay before a message whose service is away is delivered
// again: what the fault names, or else a second, doubling with each delivery;
// never beyond the deadline.
func awayDelay(err error, deliveries int, left time.Duration) time.Duration {
	_, after := fault.Of(err)
	if after <= 0 {
		after = min(mostAway, time.Second<<min(max(0, deliveries-1), 10), left/4)
	}
	return max(leastAway, min(after, left))
}

// attemptBucket records the last discounted delivery of each message, by subject,
// for all processes. The bucket is created with the first record.
type attemptBucket struct {
	js     jetstream.JetStream
	config jetstream.KeyValueConfig

	mu sync.Mutex
	kv jetstream.KeyValue // nil until it is known to exist
}

func newAttemptBucket(r *Runner) *attemptBucket {
	stream := r.opts.Streams.Stream(r.log.Names(), "")
	return &attemptBucket{js: r.log.JetStream(), config: jetstream.KeyValueConfig{
		Bucket: r.log.Names().DeliveriesBucket(), Description: "hopstream deliveries that failed through no fault of their message",
		TTL: r.opts.Streams.MaxDeadline(), Replicas: stream.Replicas, Storage: stream.Storage,
	}}
}

func (b *attemptBucket) put(ctx context.Context, subject string, delivery int) error {
	kv, err := b.open(ctx, true)
	if err == nil {
		_, err = kv.PutString(ctx, bucketKey(subject), strconv.Itoa(delivery))
	}
	if err != nil {
		b.close()
	}
	return err
}

// get returns the last delivery that was recorded, or 0.
func (b *attemptBucket) get(ctx context.Context, subject string) (delivery int, err error) {
	kv, err := b.open(ctx, false)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	e, err := kv.Get(ctx, bucketKey(subject))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		b.close()
		return 0, err
	}
	if delivery, err = strconv.Atoi(string(e.Value())); err != nil {
		return 0, fmt.Errorf("the entry of %s: %w", subject, err)
	}
	return delivery, nil
}

func (b *attemptBucket) open(ctx context.Context, create bool) (jetstream.KeyValue, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kv != nil {
		return b.kv, nil
	}
	if !create {
		var err error
		b.kv, err = b.js.KeyValue(ctx, b.config.Bucket)
		return b.kv, err
	}
	// Always updated: a bucket that was only created may be missing, with its
	// records, after the server was killed (see package durable).
	_, err := b.js.CreateKeyValue(ctx, b.config)
	if err == nil || errors.Is(err, jetstream.ErrBucketExists) {
		b.kv, err = b.js.UpdateKeyValue(ctx, b.config)
	}
	return b.kv, err
}

// close drops the handle of the bucket, which may be gone after a server lost its
// disk.
func (b *attemptBucket) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kv = nil
}

// bucketKey encodes a subject in the characters that a key may have.
func bucketKey(subject string) string { return base64.RawURLEncoding.EncodeToString([]byte(subject)) }
