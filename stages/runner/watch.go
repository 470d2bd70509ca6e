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
	"hopstream/stages/journal"
)

// delivery is one message in flight.
type delivery struct {
	msg     jetstream.Msg
	ackWait time.Duration

	// guarded by watch.mu
	beaten time.Time // taken, or last heartbeat
	id     string    // the question's, once known
	cancel context.CancelFunc
}

// watch keeps the messages in flight of all stages. One goroutine sends
// heartbeats for those that take long; a timer per message would cost more
// than most messages do.
type watch struct {
	now  func() time.Time
	idle chan struct{} // closed when every station has ended

	mu        sync.Mutex // guards all below
	flight    map[*delivery]struct{}
	cancelled map[string]time.Time
}

func newWatch(now func() time.Time) *watch {
	return &watch{now: now, idle: make(chan struct{}),
		flight: map[*delivery]struct{}{}, cancelled: map[string]time.Time{}}
}

// take enters a message that was fetched.
func (w *watch) take(s stages.Stage, msg jetstream.Msg) *delivery {
	d := &delivery{msg: msg, ackWait: s.AckWait, beaten: w.now()}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flight[d] = struct{}{}
	return d
}

// settle removes a message that was acked, nak'd or given up.
func (w *watch) settle(d *delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.flight, d)
}

// begin connects a message with its question, so that cancelling the question
// cancels the work. It reports whether the question is already cancelled.
func (w *watch) begin(d *delivery, id string, cancel context.CancelFunc) (alreadyCancelled bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d.id, d.cancel = id, cancel
	_, gone := w.cancelled[id]
	return gone
}

// isCancelled reports whether the question was cancelled lately.
func (w *watch) isCancelled(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, gone := w.cancelled[id]
	return gone
}

// cancelledFor is how long a cancelled question is remembered. Its answer is
// stored before it is announced, so forgetting it costs work, not correctness.
const cancelledFor = 10 * time.Minute

// start listens for cancelled questions.
func (w *watch) start(ctx context.Context, j *journal.Journal) (stop func(), err error) {
	prefix := strings.TrimSuffix(j.Names().Cancelled("x"), "x")
	sub, err := j.JetStream().Conn().Subscribe(j.Names().Cancelled("*"), func(m *nats.Msg) {
		w.cancelQuestion(strings.TrimPrefix(m.Subject, prefix))
	})
	if err != nil {
		return nil, fmt.Errorf("listen for cancelled questions: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// countCancelled counts the questions that clients end. Of all processes that
// listen one gets each announcement.
func (r *Runner) countCancelled(ctx context.Context) (stop func(), err error) {
	names := r.journal.Names()
	prefix := strings.TrimSuffix(names.Cancelled("x"), "x")
	sub, err := r.journal.JetStream().Conn().QueueSubscribe(names.Cancelled("*"), "count", func(m *nats.Msg) {
		a, err := r.journal.Answer(ctx, strings.TrimPrefix(m.Subject, prefix))
		if err == nil && a.Status == messages.Cancelled {
			r.opts.Metrics.question(a)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("count cancelled questions: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

func (w *watch) cancelQuestion(id string) {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for old, at := range w.cancelled {
		if now.Sub(at) > cancelledFor {
			delete(w.cancelled, old)
		}
	}
	w.cancelled[id] = now
	for d := range w.flight {
		if d.id == id && d.cancel != nil {
			d.cancel()
		}
	}
}

// beat sends heartbeats until every station has ended.
func (w *watch) beat(idle <-chan struct{}) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-idle:
			return nil
		case <-tick.C:
			for _, d := range w.due() {
				// A heartbeat that fails is a redelivery at worst.
				_ = d.msg.InProgress()
			}
		}
	}
}

// due returns the messages whose heartbeat is due, and marks them beaten.
func (w *watch) due() []*delivery {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	var due []*delivery
	for d := range w.flight {
		if now.Sub(d.beaten) >= d.ackWait/3 {
			d.beaten = now
			due = append(due, d)
		}
	}
	return due
}
