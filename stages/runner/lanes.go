package runner

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/log"
)

// laneQuiet is how long a lane in which nothing comes is read.
const laneQuiet = time.Minute

// How many questions are read ahead: of all lanes together as many as are admitted
// while a fetch takes, of one at least a few.
const (
	aheadLeast = 4
	aheadMost  = 256
)

// lanes are those that are read, each by a goroutine of its own.
type lanes struct {
	admitter *admitter
	wg       sync.WaitGroup

	mu      sync.Mutex // guards the below
	ctx     context.Context
	work    func(context.Context, *delivery) bool
	readers map[messages.Lane]*reader
	tenants map[string]int  // lanes of each that are read
	full    map[string]bool // tenants for which there is no room, since the last that had
}

func newLanes(a *admitter) *lanes {
	return &lanes{admitter: a, readers: map[messages.Lane]*reader{}, tenants: map[string]int{}, full: map[string]bool{}}
}

// start begins to read the zero lane and those that were seen, and from now on every
// lane that is opened.
func (l *lanes) start(ctx context.Context, work func(context.Context, *delivery) bool) {
	l.mu.Lock()
	l.ctx, l.work = ctx, work
	l.mu.Unlock()
	all := l.admitter.worker.lanes
	all.mu.Lock()
	all.opened = l.open
	seen := all.list
	all.mu.Unlock()
	for _, lane := range append([]messages.Lane{{}}, seen...) {
		l.open(lane)
	}
}

// wait returns when no lane is read any more, after the context of start has ended.
func (l *lanes) wait() { l.wg.Wait() }

// open has a lane read, unless it is; not before start.
func (l *lanes) open(lane messages.Lane) {
	tenant, p := lane.Of()
	if messages.NewLane(tenant, p) == (messages.Lane{}) {
		lane = messages.Lane{} // the same by its whole name
	}
	l.admitter.worker.lanes.see(lane)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers[lane] != nil || l.ctx == nil || l.ctx.Err() != nil {
		return
	}
	if l.tenants[tenant] == 0 && len(l.tenants) >= admission.MaxTenants {
		if !l.full[tenant] && len(l.full) < admission.MaxTenants {
			l.full[tenant] = true
			l.admitter.worker.logger.Error("too many tenants have questions: those of another wait until one has none", "tenant", tenant, "most", admission.MaxTenants)
		}
		return
	}
	delete(l.full, tenant)
	r := &reader{lanes: l, lane: lane, space: make(chan struct{}, 1)}
	l.readers[lane] = r
	l.tenants[tenant]++
	l.wg.Go(func() { r.run(l.ctx, l.work) })
}

// closed forgets a lane that is not read any more.
func (l *lanes) closed(r *reader) {
	tenant, _ := r.lane.Of()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.readers, r.lane)
	if l.tenants[tenant]--; l.tenants[tenant] == 0 {
		delete(l.tenants, tenant)
	}
}

// pending returns how many questions wait in the lanes' streams, by tenant, as far
// as the server has told with the last message.
func (l *lanes) pending() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[string]int{}
	for lane, r := range l.readers {
		tenant, _ := lane.Of()
		all[tenant] += int(r.pending.Load())
	}
	return all
}

// ahead is how many questions one lane may have read ahead.
func (l *lanes) ahead() int {
	window, _ := l.admitter.queue.Size()
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(aheadLeast, min(aheadMost, 2*window/max(1, len(l.readers))))
}

// laneList are the lanes that this process has seen, and who is to hear of others.
// It keeps as many as there can be tenants, times three.
type laneList struct {
	mu     sync.Mutex // guards the below
	seen   map[messages.Lane]bool
	list   []messages.Lane // of seen, for readers; never changed, but replaced
	opened func(messages.Lane)
}

func newLaneList() *laneList { return &laneList{seen: map[messages.Lane]bool{}} }

// see notes that there is a lane.
func (l *laneList) see(lane messages.Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lane == (messages.Lane{}) || l.seen[lane] || len(l.list) >= 3*admission.MaxTenants {
		return
	}
	l.seen[lane] = true
	l.list = append(slices.Clip(l.list), lane)
}

// all returns the lanes but the zero one.
func (l *laneList) all() []messages.Lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list
}

// found notes that a lane holds questions, and has it read where lanes are.
func (l *laneList) found(lane messages.Lane) {
	l.see(lane)
	l.mu.Lock()
	opened := l.opened
	l.mu.Unlock()
	if opened != nil {
		opened(lane)
	}
}

// reader reads one lane ahead.
type reader struct {
	lanes    *lanes
	lane     messages.Lane
	buffered atomic.Int64
	pending  atomic.Int64
	space    chan struct{} // something was taken
}

// taken says that one of the lane's questions was admitted.
func (r *reader) taken() {
	r.buffered.Add(-1)
	select {
	case r.space <- struct{}{}:
	default:
	}
}

// run reads the lane until ctx ends, or nothing has come for long.
func (r *reader) run(ctx context.Context, work func(context.Context, *delivery) bool) {
	defer r.lanes.closed(r)
	s := r.lanes.admitter.worker
	var consumer jetstream.Consumer
	last := time.Now()
	for failures := 0; ctx.Err() == nil; {
		room := r.room(ctx)
		if room == 0 || s.pass(ctx) != nil { // what keeps the gate shut is said elsewhere
			sleep(ctx, backoff(1))
			continue
		}
		var err error
		if consumer == nil {
			consumer, err = s.log.LaneConsumer(ctx, s.opts.Streams, s.stage, r.lane)
		}
		n := 0
		if err == nil {
			n, err = r.fetch(ctx, consumer, room, work)
		}
		switch {
		case n > 0:
			failures, last = 0, time.Now()
		case err == nil && r.lane != (messages.Lane{}) && r.buffered.Load() == 0 && time.Since(last) > laneQuiet:
			return
		case err == nil:
			failures = 0
		}
		if err != nil && ctx.Err() == nil {
			failures++
			s.logger.Warn("cannot fetch; trying again", "lane", r.lane, "error", err, "failures", failures)
			if sleep(ctx, backoff(failures)) {
				consumer = nil
				if err := s.log.Ensure(ctx, s.opts.Streams, nil); err != nil { // a server may have lost its disk
					s.logger.Warn("cannot see to the streams", "error", err)
				}
			}
		}
	}
}

// room waits until half of what may be read ahead can be fetched, and returns how
// much that is; 0 if ctx ends.
func (r *reader) room(ctx context.Context) int {
	for {
		most := r.lanes.ahead()
		if have := int(r.buffered.Load()); have <= most/2 {
			return most - have
		}
		select {
		case <-r.space:
		case <-ctx.Done():
			return 0
		}
	}
}

// fetch reads up to n questions and returns how many came.
func (r *reader) fetch(ctx context.Context, c jetstream.Consumer, n int, work func(context.Context, *delivery) bool) (came int, err error) {
	batch, err := c.Fetch(n, jetstream.FetchMaxWait(fetchWait))
	if err != nil {
		return 0, err
	}
	s := r.lanes.admitter.worker
	for msg := range batch.Messages() {
		came++
		d := s.tracker.take(s.stage, msg)
		if ctx.Err() != nil {
			r.lanes.admitter.giveBack(d)
			continue
		}
		r.offer(ctx, d, work)
	}
	if came == 0 {
		r.pending.Store(0)
	}
	if err := batch.Error(); err != nil && !harmless(err) {
		return came, err
	}
	return came, nil
}

// offer has a delivery wait for its turn. What is no question that could wait, or
// was admitted before, is worked on at once.
func (r *reader) offer(ctx context.Context, d *delivery, work func(context.Context, *delivery) bool) {
	a := r.lanes.admitter
	at := func() {
		if !work(ctx, d) {
			a.giveBack(d)
		}
	}
	meta, err := d.msg.Metadata()
	if err != nil {
		at()
		return
	}
	r.pending.Store(int64(meta.NumPending))
	_, key, err := a.worker.log.Names().Parse(d.msg.Subject())
	if err != nil || messages.CheckID(key.ID) != nil {
		at()
		return
	}
	asked := log.Asked(d.msg.Headers(), meta.Timestamp)
	if key.Lane == (messages.Lane{}) {
		lane, moved := r.move(ctx, d, key, meta)
		if moved {
			return
		}
		key.Lane = lane
	}
	r.buffered.Add(1)
	if !a.queue.Offer(admission.Waiting[*ahead]{ID: key.ID, Lane: key.Lane, Stored: asked, Item: &ahead{d, r, asked}}) {
		r.buffered.Add(-1)
		at()
	}
}

// move puts a question of the zero lane that has another into that. If it cannot be
// moved, for want of room or since its ID is taken there, it waits where it is, with
// those of its lane.
func (r *reader) move(ctx context.Context, d *delivery, key messages.Key, meta *jetstream.MsgMetadata) (lane messages.Lane, moved bool) {
	a := r.lanes.admitter
	m, err := messages.Decode(messages.KindQuestion, d.msg.Data())
	if err != nil {
		return lane, false // the router says what is wrong
	}
	q := m.(*messages.Question)
	if lane = q.Key().Lane; lane == (messages.Lane{}) || q.ID != "" && q.ID != key.ID {
		return lane, false
	}
	q.ID = key.ID
	err = a.worker.log.MoveQuestion(ctx, q, meta.Sequence.Stream, d.msg.Headers(), meta.Timestamp)
	switch {
	case errors.Is(err, log.ErrFull), errors.Is(err, log.ErrStored):
		return lane, false
	case err != nil:
		a.worker.logger.Warn("cannot put a question into its lane; trying again", "question", key.ID, "error", err)
		a.worker.nak(d, retryDelay(err, int(meta.NumDelivered)))
	default:
		a.lanes.open(lane)
		if err := d.msg.Ack(); err != nil {
			a.worker.logger.Debug("cannot ack a question that was moved", "question", key.ID, "error", err)
		}
	}
	a.worker.tracker.settle(d)
	return lane, true
}
