package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/storage"
	"hopstream/stages/tracing"
	"hopstream/stages/work"
)

// Options adjust a runner; zero fields take the defaults named.
type Options struct {
	Streams log.Config      // shape of the streams
	Policy  messages.Policy // deadlines and budgets of questions that name none
	// MaxBehind is how many of the documents stored before a question an index may
	// lack to answer it; 0 means none. It is for document streams that change all
	// the time.
	MaxBehind uint64
	// Explain, if there is one, asks how far the indexes are, once per sweep of
	// the sentinel. The function it returns says why a question that needs the
	// documents up to need had to wait; the text is empty if some index could
	// have answered it.
	Explain func(ctx context.Context) (why func(need uint64) string)
	// Share lets questions that ask the same sub-query share the work on it; nil: each
	// works by itself.
	Share     *work.Claims
	Gate      GateOptions
	Admission AdmissionOptions
	Storage   storage.Options // what is kept; no bounds but the streams' ages
	Metrics   *Metrics        // unregistered ones
	// Tracer records the spans of deliveries and questions; nil: none are.
	Tracer *tracing.Tracer
	Logger *slog.Logger  // discarded
	Grace  time.Duration // for what is in flight at shutdown; 10 s
	// Sweep is how often open questions are looked through; 2 s.
	Sweep time.Duration
	Now   func() time.Time // time.Now

	rebuilds rebuilds // questions whose spans are to be made from the log
}

func (o Options) withDefaults() Options {
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Sweep <= 0 {
		o.Sweep = 2 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if most := o.Streams.MaxDeadline(); o.Policy.MaxDeadline <= 0 || o.Policy.MaxDeadline > most {
		o.Policy.MaxDeadline = most
	}
	o.Policy = o.Policy.WithDefaults()
	o.rebuilds = make(rebuilds, rebuildsWaiting)
	o.Streams.Fair = o.Admission.Fair
	if o.Streams.Logger == nil {
		o.Streams.Logger = o.Logger
	}
	if o.Storage.Logger == nil {
		o.Storage.Logger = o.Logger
	}
	if o.Storage.Now == nil {
		o.Storage.Now = o.Now
	}
	return o
}

// Runner runs stages on one connection.
type Runner struct {
	log     *log.Log
	opts    Options
	tracker *tracker
	bucket  attemptBucket
	lanes   *laneList
}

// New returns a runner over j.
func New(j *log.Log, o Options) *Runner {
	o = o.withDefaults()
	o.Metrics.openLimit.Set(float64(o.Streams.MostOpen()))
	r := &Runner{log: j, opts: o, tracker: newTracker(o.Now), lanes: newLaneList()}
	r.bucket = newAttemptBucket(r)
	return r
}

// InFlight is how many messages are worked on in this process.
func (r *Runner) InFlight() int { return r.tracker.inFlight() }

// Prepare creates the streams, the consumers of table, and the bucket that workers
// note deliveries in, unless they are there as the options say. It fails where it
// may not or cannot.
func (r *Runner) Prepare(ctx context.Context, table []stages.Stage) error {
	if err := r.log.Ensure(ctx, r.opts.Streams, table); err != nil {
		return err
	}
	return r.bucket.Ensure(ctx)
}

// Run creates the streams and consumers and runs the given stages until ctx
// ends, once; then it finishes what is in flight, or hands it back after Grace. It
// returns nil after a clean end. ready, if not nil, is called once every
// stage takes messages.
func (r *Runner) Run(ctx context.Context, logics []stages.Logic, ready func()) error {
	workers := make([]*worker, len(logics))
	table := make([]stages.Stage, len(logics))
	for i, l := range logics {
		workers[i], table[i] = newWorker(r, l), l.Stage
	}
	if err := r.log.Ensure(ctx, r.opts.Streams, table); err != nil {
		return err
	}
	stopTracker, err := r.tracker.start(ctx, r.log)
	if err != nil {
		return err
	}
	defer stopTracker()
	if r.opts.Tracer.On() {
		stopTraces, err := r.keepTraces()
		if err != nil {
			return fmt.Errorf("listen for questions that end badly: %w", err)
		}
		defer stopTraces()
	}
	routes := stages.Reading(table, messages.KindQuestion) != nil
	if routes {
		stopCount, err := r.countCancelled(ctx)
		if err != nil {
			return err
		}
		defer stopCount()
	}

	// Handlers outlive ctx by the grace period.
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	group, gctx := errgroup.WithContext(ctx)
	for _, s := range workers {
		group.Go(func() error { return s.run(gctx, work) })
	}
	if routes {
		group.Go(func() error { return r.sentinel(gctx) })
	}
	group.Go(func() error { return r.keep(gctx, table) })
	group.Go(func() error { return r.tracker.beat(r.tracker.idle) })
	if r.opts.Tracer.On() {
		group.Go(func() error { return r.rebuild(context.WithoutCancel(ctx), r.tracker.idle) })
	}
	group.Go(func() error {
		<-gctx.Done()
		timer := time.NewTimer(r.opts.Grace)
		defer timer.Stop()
		select {
		case <-timer.C:
			stopWork()
		case <-r.tracker.idle:
		}
		return nil
	})
	group.Go(func() error {
		for _, s := range workers {
			<-s.ended
		}
		close(r.tracker.idle)
		return nil
	})
	if ready != nil {
		ready()
	}
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	// The last acks and naks are still on their way out of the connection; one
	// that is lost with it leads to a redelivery.
	_ = r.log.JetStream().Conn().FlushTimeout(time.Second)
	return nil
}
