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

// A message is given up after so many deliveries, lest one that fails for ever
// or crashes its workers goes round for ever. A delivery that a living worker
// handed back because a service was away is no sign of either: what counts are
// the deliveries since the last of those. Each station remembers it for its
// messages, and notes it for other processes and for itself after a restart in
// a bucket of the log, at every half of the attempts. A message that crashes
// its workers never comes to be excused.

// excuse says that this delivery failed through no fault of its message.
func (s *station) excuse(ctx context.Context, j *job) {
	n, every := int(j.meta.NumDelivered), max(1, s.stage.Attempts/2)
	m := s.memory.change(j.msg.Subject(), func(m *memo) { m.excused = n })
	if n-m.noted < every {
		return
	}
	if err := s.notes.put(ctx, j.msg.Subject(), n); err != nil {
		s.log.Debug("cannot note that a message is not at fault", "question", j.key.ID, "error", err)
		return
	}
	s.memory.change(j.msg.Subject(), func(m *memo) { m.noted = n })
}

// tried reports whether the message was delivered limit times since it was
// last excused.
func (s *station) tried(ctx context.Context, j *job, limit int) bool {
	n := int(j.meta.NumDelivered)
	if n-s.memory.get(j.msg.Subject()).excused < limit {
		return false
	}
	noted, err := s.notes.get(ctx, j.msg.Subject())
	if err != nil {
		s.log.Warn("cannot read whether a message was excused", "question", j.key.ID, "error", err)
	}
	return n-noted < 0 || n-noted >= limit // a note from the future is another message's
}

// Delays of a message whose service is away.
const (
	leastAway = 100 * time.Millisecond
	mostAway  = 5 * time.Minute
)

// awayDelay is how long to leave a message alone whose service is away: what
// the fault names, or else a second, doubling with each delivery; never beyond
// the deadline.
func awayDelay(err error, deliveries int, left time.Duration) time.Duration {
	_, after := fault.Of(err)
	if after <= 0 {
		after = min(mostAway, time.Second<<min(max(0, deliveries-1), 10), left/4)
	}
	return max(leastAway, min(after, left))
}

// notes are the deliveries that were excused, by subject, for every process.
// The bucket is made when the first is written.
type notes struct {
	js     jetstream.JetStream
	config jetstream.KeyValueConfig

	mu sync.Mutex
	kv jetstream.KeyValue // nil until it is known to exist
}

func newNotes(r *Runner) *notes {
	stream := r.opts.Streams.Stream(r.journal.Names(), "")
	return &notes{js: r.journal.JetStream(), config: jetstream.KeyValueConfig{
		Bucket: r.journal.Names().Excused(), Description: "hopstream deliveries that failed through no fault of their message",
		TTL: r.opts.Streams.MaxDeadline(), Replicas: stream.Replicas, Storage: stream.Storage,
	}}
}

func (n *notes) put(ctx context.Context, subject string, delivery int) error {
	kv, err := n.open(ctx, true)
	if err == nil {
		_, err = kv.PutString(ctx, noteKey(subject), strconv.Itoa(delivery))
	}
	if err != nil {
		n.close()
	}
	return err
}

// get returns the last delivery that was noted, or 0.
func (n *notes) get(ctx context.Context, subject string) (delivery int, err error) {
	kv, err := n.open(ctx, false)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	e, err := kv.Get(ctx, noteKey(subject))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		n.close()
		return 0, err
	}
	if delivery, err = strconv.Atoi(string(e.Value())); err != nil {
		return 0, fmt.Errorf("the note of %s: %w", subject, err)
	}
	return delivery, nil
}

func (n *notes) open(ctx context.Context, create bool) (jetstream.KeyValue, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kv != nil {
		return n.kv, nil
	}
	if !create {
		var err error
		n.kv, err = n.js.KeyValue(ctx, n.config.Bucket)
		return n.kv, err
	}
	// Updated in any case: the server may lose sight of one that was only
	// created (see package durable), and of the notes with it.
	_, err := n.js.CreateKeyValue(ctx, n.config)
	if err == nil || errors.Is(err, jetstream.ErrBucketExists) {
		n.kv, err = n.js.UpdateKeyValue(ctx, n.config)
	}
	return n.kv, err
}

// close forgets the bucket, which may be gone after a server lost its disk.
func (n *notes) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kv = nil
}

// noteKey is a subject in the letters that a key may have.
func noteKey(subject string) string { return base64.RawURLEncoding.EncodeToString([]byte(subject)) }
