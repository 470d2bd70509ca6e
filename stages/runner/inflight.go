package runner

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
)

// delivery is one message in flight.
type delivery struct {
	msg     jetstream.Msg
	ackWait time.Duration

	// guarded by tracker.mu
	beaten time.Time // of the last heartbeat; at first, when it was fetched
	id     string    // the question's, once known
	cancel context.CancelFunc
}

// tracker keeps the messages in flight of all stages. One goroutine sends
// heartbeats for those that take long; a timer per message would cost more
// than most messages do.
type tracker struct {
	now  func() time.Time
	idle chan struct{} // closed when every worker has ended

	mu        sync.Mutex // guards all below
	flight    map[*delivery]struct{}
	cancelled map[string]time.Time
}

func newTracker(now func() time.Time) *tracker {
	return &tracker{now: now, idle: make(chan struct{}),
		flight: map[*delivery]struct{}{}, cancelled: map[string]time.Time{}}
}

// take enters a message that was fetched.
func (t *tracker) take(s stages.Stage, msg jetstream.Msg) *delivery {
	d := &delivery{msg: msg, ackWait: s.AckWait, beaten: t.now()}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flight[d] = struct{}{}
	return d
}

// settle removes a message that was acked, nak'd or given up.
func (t *tracker) settle(d *delivery) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.flight, d)
}

// inFlight is how many messages were taken and not settled.
func (t *tracker) inFlight() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.flight)
}

// begin connects a message with its question, so that cancelling the question
// cancels the work. It reports whether the question is already cancelled.
func (t *tracker) begin(d *delivery, id string, cancel context.CancelFunc) (alreadyCancelled bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	d.id, d.cancel = id, cancel
	_, gone := t.cancelled[id]
	return gone
}

// isCancelled reports whether the question was cancelled lately.
func (t *tracker) isCancelled(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, gone := t.cancelled[id]
	return gone
}

// cancelledFor is how long a cancelled question is remembered. Its answer is
// stored before the cancellation is announced, so forgetting one only wastes work.
const cancelledFor = 10 * time.Minute

// start listens for cancelled questions.
func (t *tracker) start(ctx context.Context, j *log.Log) (stop func(), err error) {
	prefix := strings.TrimSuffix(j.Names().Cancelled("x"), "x")
	sub, err := j.JetStream().Conn().Subscribe(j.Names().Cancelled("*"), func(m *nats.Msg) {
		t.cancelQuestion(strings.TrimPrefix(m.Subject, prefix))
	})
	if err != nil {
		return nil, fmt.Errorf("listen for cancelled questions: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// countCancelled counts the questions that clients cancel. Each announcement
// reaches one process (a queue subscription), so that it is counted once.
func (r *Runner) countCancelled(ctx context.Context) (stop func(), err error) {
	names := r.log.Names()
	prefix := strings.TrimSuffix(names.Cancelled("x"), "x")
	sub, err := r.log.JetStream().Conn().QueueSubscribe(names.Cancelled("*"), "count", func(m *nats.Msg) {
		a, err := r.log.Answer(ctx, strings.TrimPrefix(m.Subject, prefix))
		if err == nil && a.Status == messages.Cancelled {
			a.Trace = r.opts.Tracer.Decide(a.Trace) // the client that cancels knows no share
			r.opts.question(&ended{answer: a, asked: r.opts.Now().Add(-time.Duration(a.LatencyMS * float64(time.Millisecond)))})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("count cancelled questions: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

func (t *tracker) cancelQuestion(id string) {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for old, at := range t.cancelled {
		if now.Sub(at) > cancelledFor {
			delete(t.cancelled, old)
		}
	}
	t.cancelled[id] = now
	for d := range t.flight {
		if d.id == id && d.cancel != nil {
			d.cancel()
		}
	}
}

// beat sends heartbeats until every worker has ended.
func (t *tracker) beat(idle <-chan struct{}) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-idle:
			return nil
		case <-tick.C:
			for _, d := range t.due() {
				// A heartbeat that fails is a redelivery at worst.
				_ = d.msg.InProgress()
			}
		}
	}
}

// due returns the messages whose heartbeat is due, and notes the heartbeat.
func (t *tracker) due() []*delivery {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	var due []*delivery
	for d := range t.flight {
		if now.Sub(d.beaten) >= d.ackWait/3 {
			d.beaten = now
			due = append(due, d)
		}
	}
	return due
}
