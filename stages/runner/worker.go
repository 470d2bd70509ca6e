package runner

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/pause"
	"hopstream/stages/storage"
)

// worker runs one stage: it fetches messages and works on them, at most
// Concurrency at once. A message is fetched only when a slot is free for it,
// so none waits in a buffer while its ack timer runs.
type worker struct {
	stage   stages.Stage
	logic   stages.Logic
	log     *log.Log
	opts    *Options
	tracker *tracker
	history *history
	bucket  attemptBucket
	figures *stageFigures
	logger  *slog.Logger
	gates   []func(context.Context) error // before every fetch
	admit   *admitter                     // of the router, where questions are admitted fairly
	lanes   *laneList
	ended   chan struct{} // closed when nothing is in flight any more
	said    atomic.Int64  // when something being away was last logged, in Unix seconds
}

func newWorker(r *Runner, l stages.Logic) *worker {
	row := l.Stage
	s := &worker{
		stage: row, logic: l, log: r.log, opts: &r.opts, tracker: r.tracker, lanes: r.lanes,
		history: newHistory(), bucket: r.bucket,
		figures: r.opts.Metrics.stage(row.Name), logger: r.opts.Logger.With("stage", row.Name),
		ended: make(chan struct{}),
	}
	if row.Input == messages.KindQuestion {
		paused := &pauseGate{store: pause.New(r.log, r.opts.Streams), logger: s.logger}
		s.gates = append(s.gates, paused.open, newGate(r.log, r.opts.Gate, storage.New(r.log, r.opts.Storage)).open)
		if r.opts.Admission.Fair {
			s.admit = newAdmitter(s)
		}
	}
	if l.Gate != nil {
		s.gates = append(s.gates, l.Gate)
	}
	return s
}

// fetchWait is how long one fetch waits on an empty queue, and so how long a stop
// may take. A fetch is never abandoned earlier: messages that the server sends to
// an abandoned fetch are redelivered only after the ack wait.
const fetchWait = time.Second

// run fetches until ctx ends, working under work, and returns when the last
// message in flight is settled.
func (s *worker) run(ctx, work context.Context) error {
	defer close(s.ended)
	var wg sync.WaitGroup
	defer wg.Wait()
	// A fixed set of goroutines: one per message would have to grow its stack each
	// time.
	slots, todo := make(chan struct{}, s.stage.Concurrency), make(chan *delivery, s.stage.Concurrency)
	defer close(todo)
	s.figures.concurrency.Set(float64(s.stage.Concurrency))
	defer s.figures.concurrency.Set(0)
	for range s.stage.Concurrency {
		wg.Go(func() {
			for d := range todo {
				s.deliver(work, d, func() {
					s.tracker.settle(d)
					<-slots
					wg.Done()
				})
			}
		})
	}
	if s.admit != nil {
		return s.admit.run(ctx, func(ctx context.Context, d *delivery) bool {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return false
			}
			wg.Add(1)
			todo <- d
			return true
		})
	}
	consumer, err := s.log.Consumer(ctx, s.opts.Streams, s.stage)
	for failures := 0; ctx.Err() == nil; {
		if err == nil {
			err = s.pass(ctx)
		}
		if err == nil {
			err = s.fetch(ctx, consumer, slots, todo, &wg)
		}
		if err == nil {
			failures = 0
			continue
		}
		if ctx.Err() != nil {
			break
		}
		failures++
		s.logger.Warn("cannot fetch; trying again", "error", err, "failures", failures)
		if !sleep(ctx, backoff(failures)) {
			break
		}
		// The consumer may be gone, after a server lost its disk.
		consumer, err = s.reopen(ctx)
	}
	return nil
}

// pass waits until every gate lets messages through.
func (s *worker) pass(ctx context.Context) error {
	for _, open := range s.gates {
		if err := open(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *worker) reopen(ctx context.Context) (jetstream.Consumer, error) {
	if err := s.log.Ensure(ctx, s.opts.Streams, nil); err != nil {
		return nil, err
	}
	return s.log.Consumer(ctx, s.opts.Streams, s.stage)
}

// fetch asks for as many messages as there are free slots and hands each to a
// worker as it comes.
func (s *worker) fetch(ctx context.Context, c jetstream.Consumer, slots chan struct{}, todo chan<- *delivery, wg *sync.WaitGroup) error {
	free := s.take(ctx, slots)
	if free == 0 {
		return nil
	}
	defer func() {
		for range free {
			<-slots
		}
	}()
	batch, err := c.Fetch(free, jetstream.FetchMaxWait(fetchWait))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		free--
		wg.Add(1)
		todo <- s.tracker.take(s.stage, msg)
	}
	if err := batch.Error(); err != nil && !harmless(err) {
		return err
	}
	return nil
}

// gather is how long to wait for more free slots before a fetch, which costs as
// much as several quick messages. Beside a slow message the wait does not matter.
const gather = time.Millisecond

// take takes the free slots and returns how many: at least one, unless ctx
// ends. While fewer than a quarter are free it waits a little for more.
func (s *worker) take(ctx context.Context, slots chan struct{}) (n int) {
	select {
	case slots <- struct{}{}:
		n = 1
	case <-ctx.Done():
		return 0
	}
	var enough <-chan time.Time
	for n < cap(slots) {
		select {
		case slots <- struct{}{}:
			n++
			continue
		default:
		}
		if n >= cap(slots)/4 {
			break
		}
		if enough == nil {
			timer := time.NewTimer(gather)
			defer timer.Stop()
			enough = timer.C
		}
		select {
		case slots <- struct{}{}:
			n++
		case <-enough:
			return n
		case <-ctx.Done():
			return n
		}
	}
	return n
}

// harmless reports whether a fetch ended for want of messages.
func harmless(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages)
}

// backoff is how long to wait after n failures in a row: a quarter of a
// second, doubling, up to fifteen seconds.
func backoff(n int) time.Duration {
	return min(15*time.Second, 250*time.Millisecond<<min(max(0, n-1), 10))
}

// retryDelay is backoff, unless the fault names a time.
func retryDelay(err error, deliveries int) time.Duration {
	if _, after := fault.Of(err); after > 0 {
		return after
	}
	return backoff(deliveries)
}

// sleep waits for d and reports whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
