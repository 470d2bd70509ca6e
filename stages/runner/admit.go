package runner

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/log"
)

// AdmissionOptions say how questions are admitted (see package admission). Zero
// fields take the defaults named.
type AdmissionOptions struct {
	// Fair admits questions by tenants and priorities. Without it they are worked on
	// as they come, all of one queue.
	Fair   bool
	Window admission.WindowOptions // of all routers together; Least is the table's largest concurrency
}

// admitter has the questions of every lane read ahead, and gives the router those
// that are admitted.
type admitter struct {
	worker  *worker
	queue   *admission.Queue[*ahead]
	tenants *log.Tenants
	lanes   *lanes
	self    string // this router's name among routers

	mu      sync.Mutex           // guards the below
	routers map[string]time.Time // others, and when they were heard of
	changes uint64               // of the settings that were read last
}

// ahead is a delivery that was read ahead.
type ahead struct {
	*delivery
	reader *reader
	stored time.Time
}

func newAdmitter(s *worker) *admitter {
	a := &admitter{worker: s, tenants: s.log.Tenants(s.opts.Streams), self: nuid.Next(), routers: map[string]time.Time{}}
	a.queue = admission.New[*ahead](admission.Options{Window: s.opts.Admission.Window, Now: s.opts.Now})
	a.lanes = newLanes(a)
	return a
}

// How often an admitter sees to what it cannot hear of.
const (
	tendEvery = time.Second
	// reconcileAfter is how old an admitted question is when it is looked up for the
	// first time: the note that it has ended may be lost.
	reconcileAfter = 5 * time.Second
	reconcileMost  = 512
	// routerGone is how long a router is silent that is no more.
	routerGone = 3500 * time.Millisecond
)

// run gives the worker the questions that are admitted, until ctx ends; what was
// read ahead then goes back to the queue. start hands a delivery to a worker,
// waiting for a free slot first.
func (a *admitter) run(ctx context.Context, start func(context.Context, *delivery) bool) error {
	stop, err := a.listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	a.tend(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(tendEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				a.tend(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
	a.lanes.start(ctx, start)
	for failures := 0; ctx.Err() == nil; {
		if err := a.worker.pass(ctx); err != nil {
			if ctx.Err() != nil {
				break
			}
			failures++
			a.worker.logger.Warn("cannot fetch; trying again", "error", err, "failures", failures)
			sleep(ctx, backoff(failures))
			continue
		}
		failures = 0
		w, err := a.queue.Next(ctx)
		if err != nil {
			break
		}
		w.Item.reader.taken()
		a.count(w)
		if !start(ctx, w.Item.delivery) {
			a.giveBack(w.Item.delivery)
		}
	}
	a.lanes.wait()
	wg.Wait()
	for _, w := range a.queue.Drain() {
		a.giveBack(w.Item.delivery)
	}
	return nil
}

// giveBack hands a delivery back that nobody works on.
func (a *admitter) giveBack(d *delivery) {
	a.worker.handBack(d)
	a.worker.tracker.settle(d)
}

func (a *admitter) count(w admission.Waiting[*ahead]) {
	tenant, p := w.Lane.Of()
	a.worker.opts.Metrics.tenants.admit(tenant, p, a.worker.opts.Now().Sub(w.Item.stored))
}

// listen hears of questions that have ended, of lanes, and of other routers.
func (a *admitter) listen(ctx context.Context) (stop func(), err error) {
	names, conn := a.worker.log.Names(), a.worker.log.JetStream().Conn()
	var subs []*nats.Subscription
	stop = func() {
		for _, s := range subs {
			_ = s.Unsubscribe()
		}
	}
	ended := strings.TrimSuffix(names.Ended("x"), "x")
	for subject, handle := range map[string]nats.MsgHandler{
		names.Ended("*"): func(m *nats.Msg) { a.queue.End(strings.TrimPrefix(m.Subject, ended)) },
		names.LaneNotices(): func(m *nats.Msg) {
			if lane, err := names.ParseLaneNotice(m.Subject); err == nil {
				a.lanes.open(lane)
			}
		},
		names.Routers(): func(m *nats.Msg) { a.heard(string(m.Data)) },
	} {
		sub, err := conn.Subscribe(subject, handle)
		if err != nil {
			stop()
			return nil, err
		}
		subs = append(subs, sub)
	}
	return stop, nil
}

// heard notes that another router runs.
func (a *admitter) heard(name string) {
	if name == a.self {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.routers[name] = a.worker.opts.Now()
}

// running says how many routers run, this one included.
func (a *admitter) running() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, at := range a.routers {
		if a.worker.opts.Now().Sub(at) > routerGone {
			delete(a.routers, name)
		}
	}
	return 1 + len(a.routers)
}

// tend does what is done now and then: it tells other routers of this one, reads
// what was set for tenants, and looks whether old questions have ended.
func (a *admitter) tend(ctx context.Context) {
	_ = a.worker.log.JetStream().Conn().Publish(a.worker.log.Names().Routers(), []byte(a.self))
	a.queue.Share(a.running())
	if err := a.readSettings(ctx); err != nil && ctx.Err() == nil {
		a.worker.logger.Warn("what is set for tenants stays as it was", "error", err)
	}
	if err := a.reconcile(ctx); err != nil && ctx.Err() == nil {
		a.worker.logger.Debug("cannot look whether admitted questions have ended", "error", err)
	}
	window, figures := a.queue.State()
	a.worker.opts.Metrics.tenants.show(window, figures, a.lanes.pending())
}

// readSettings reads what is set for tenants, if it has changed.
func (a *admitter) readSettings(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	changes, err := a.tenants.Changes(ctx)
	if err != nil || changes == a.changes {
		return err
	}
	all, err := a.tenants.All(ctx)
	if all != nil {
		a.queue.Set(all)
		a.changes = changes
	}
	return err
}

// reconcile ends those of the old admitted questions that are not in the question
// stream any more.
func (a *admitter) reconcile(ctx context.Context) error {
	old := a.queue.Old(reconcileAfter, reconcileMost)
	if len(old) == 0 {
		return nil
	}
	names := a.worker.log.Names()
	var subjects []string
	for id, lane := range old {
		subjects = append(subjects, names.Subject(messages.KindQuestion, messages.Key{ID: id, Lane: lane}))
		if lane != (messages.Lane{}) { // it may be where a client stored it that knows no lanes
			subjects = append(subjects, names.Subject(messages.KindQuestion, messages.Key{ID: id}))
		}
	}
	stored, err := a.worker.log.Last(ctx, messages.KindQuestion, subjects)
	if err != nil {
		return err
	}
	for _, s := range stored {
		if _, key, err := names.Parse(s.Subject); err == nil {
			delete(old, key.ID)
		}
	}
	for id := range old {
		a.queue.End(id)
	}
	return nil
}
