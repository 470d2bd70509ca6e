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
	"hopstream/stages/journal"
)

// Options adjust a runner; zero fields take the defaults named.
type Options struct {
	Streams journal.Config  // shape of the streams
	Policy  messages.Policy // deadlines and budgets of questions that name none
	// MaxBehind is how many documents an index may lack that were stored before
	// a question was accepted; 0 means none. It is for streams of documents
	// that never rest.
	MaxBehind uint64
	// Explain, if there is one, looks how far the indexes are, once per sweep
	// that ends questions at their deadline. What it returns says why one
	// waited that needs the documents up to need; it is empty where no index
	// is to blame.
	Explain func(ctx context.Context) (why func(need uint64) string)
	// Table overrides the pipeline's rows (concurrency, ack wait, attempts);
	// rows without logic are not run.
	Table   []stages.Stage
	Gate    GateOptions
	Metrics *Metrics      // unregistered ones
	Log     *slog.Logger  // discarded
	Grace   time.Duration // for what is in flight at shutdown; 10 s
	// Sweep is how often open questions are looked through; 2 s.
	Sweep time.Duration
	Now   func() time.Time // time.Now
}

func (o Options) withDefaults() Options {
	if o.Table == nil {
		o.Table = stages.Pipeline()
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
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
	if o.Streams.Log == nil {
		o.Streams.Log = o.Log
	}
	return o
}

// Runner runs stages on one connection.
type Runner struct {
	journal *journal.Journal
	opts    Options
	watch   *watch
	notes   *notes
}

// New returns a runner over j.
func New(j *journal.Journal, o Options) *Runner {
	o = o.withDefaults()
	r := &Runner{journal: j, opts: o, watch: newWatch(o.Now)}
	r.notes = newNotes(r)
	return r
}

// Run creates the streams and consumers and runs the given stages until ctx
// ends, once; then it finishes what is in flight, or hands it back after Grace. It
// returns nil after a clean end. ready, if not nil, is called once every
// stage takes messages.
func (r *Runner) Run(ctx context.Context, logics []Logic, ready func()) error {
	stations, err := r.stations(logics)
	if err != nil {
		return err
	}
	table := make([]stages.Stage, len(stations))
	for i, s := range stations {
		table[i] = s.stage
	}
	if err := r.journal.Ensure(ctx, r.opts.Streams, table); err != nil {
		return err
	}
	stopWatch, err := r.watch.start(ctx, r.journal)
	if err != nil {
		return err
	}
	defer stopWatch()
	if r.hasRouter(stations) {
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
	for _, s := range stations {
		group.Go(func() error { return s.run(gctx, work) })
	}
	if r.hasRouter(stations) {
		group.Go(func() error { return r.sentinel(gctx) })
	}
	group.Go(func() error { return r.keep(gctx, table) })
	group.Go(func() error { return r.watch.beat(r.watch.idle) })
	group.Go(func() error {
		<-gctx.Done()
		timer := time.NewTimer(r.opts.Grace)
		defer timer.Stop()
		select {
		case <-timer.C:
			stopWork()
		case <-r.watch.idle:
		}
		return nil
	})
	group.Go(func() error {
		for _, s := range stations {
			<-s.ended
		}
		close(r.watch.idle)
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
	_ = r.journal.JetStream().Conn().FlushTimeout(time.Second)
	return nil
}

func (r *Runner) hasRouter(stations []*station) bool {
	for _, s := range stations {
		if s.stage.Input == messages.KindQuestion {
			return true
		}
	}
	return false
}

func (r *Runner) stations(logics []Logic) ([]*station, error) {
	var out []*station
	for _, l := range logics {
		var row *stages.Stage
		for i := range r.opts.Table {
			if r.opts.Table[i].Name == l.Stage {
				row = &r.opts.Table[i]
			}
		}
		if row == nil {
			return nil, fmt.Errorf("stage %q is not in the pipeline's table", l.Stage)
		}
		out = append(out, newStation(r, *row, l))
	}
	return out, nil
}
