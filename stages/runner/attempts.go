package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"hopstream/messages/fault"
	"hopstream/stages/bucket"
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
		s.about(j).Debug("cannot record that a delivery does not count", "error", err)
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
		s.about(j).Warn("cannot read whether a message was discounted", "error", err)
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
type attemptBucket struct{ *bucket.Bucket }

func newAttemptBucket(r *Runner) attemptBucket {
	stream := r.opts.Streams.Stream(r.log.Names(), "")
	return attemptBucket{bucket.New(r.log.JetStream(), bucket.Config{
		Name: r.log.Names().DeliveriesBucket(), Description: "hopstream deliveries that failed through no fault of their message",
		TTL: r.opts.Streams.MaxDeadline(), Replicas: stream.Replicas, Storage: stream.Storage, Logger: r.opts.Logger,
	})}
}

func (b attemptBucket) put(ctx context.Context, subject string, delivery int) error {
	return b.Put(ctx, bucket.Key(subject), []byte(strconv.Itoa(delivery)))
}

// get returns the last delivery that was recorded, or 0.
func (b attemptBucket) get(ctx context.Context, subject string) (delivery int, err error) {
	v, _, err := b.Get(ctx, bucket.Key(subject))
	if errors.Is(err, bucket.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if delivery, err = strconv.Atoi(string(v)); err != nil {
		return 0, fmt.Errorf("the entry of %s: %w", subject, err)
	}
	return delivery, nil
}
