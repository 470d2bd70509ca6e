package client

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages/log"
)

// Bulk asks many questions at once.
type Bulk struct {
	// Window is how many questions may be open at once; 1,000.
	Window int
	// Answer gets every answer as it comes. It is called from several
	// goroutines, but never twice at the same time.
	Answer func(*messages.Answer)
	// Reject gets every question that was not accepted, likewise.
	Reject func(*messages.Question, error)
	// Recheck is how long a question may stay open before its answer is
	// looked for in the log instead of waited for; 5 s. It covers an answer
	// that was stored before the question was.
	Recheck time.Duration
}

// bulkRun is one run of a Bulk.
type bulkRun struct {
	Bulk
	client *Client
	slots  chan struct{}

	mu      sync.Mutex // guards pending and the callbacks
	pending map[string]*pendingQuestion
	seen    map[string]string // every ID of this run, with its text
}

type pendingQuestion struct {
	*messages.Question
	since time.Time
}

// submitters is how many questions are stored at once.
const submitters = 32

// knownBatch is how many IDs one look for existing answers names.
const knownBatch = 256

// Run asks the questions that next returns, until it returns false, and comes
// back when all have been answered or rejected. A question answered before is
// not asked again: its answer is passed on. The same ID twice counts once; with
// another text it is rejected with ErrClash. Run fails when ctx ends; the
// questions accepted until then stay in the pipeline.
func (c *Client) Run(ctx context.Context, b Bulk, next func() (*messages.Question, bool)) error {
	if b.Window <= 0 {
		b.Window = 1000
	}
	if b.Recheck <= 0 {
		b.Recheck = 5 * time.Second
	}
	r := &bulkRun{Bulk: b, client: c, slots: make(chan struct{}, b.Window),
		pending: map[string]*pendingQuestion{}, seen: map[string]string{}}
	follow, err := c.Follow(ctx, r.settle)
	if err != nil {
		return err
	}
	defer follow.Close()

	work, stop := context.WithCancel(ctx)
	defer stop()
	var rechecks errgroup.Group
	rechecks.Go(func() error { return r.recheck(work) })
	err = r.submitAll(work, next)
	if err == nil {
		err = r.drain(work)
	}
	stop()
	return errors.Join(err, ctx.Err(), rechecks.Wait())
}

// submitAll reads the questions in batches, passes on known answers, and
// stores the rest.
func (r *bulkRun) submitAll(ctx context.Context, next func() (*messages.Question, bool)) error {
	questions := make(chan *messages.Question)
	var group errgroup.Group
	for range submitters {
		group.Go(func() error {
			for q := range questions {
				r.submit(ctx, q)
			}
			return nil
		})
	}
	err := func() error {
		defer close(questions)
		incoming := read(ctx, next)
		for more := true; more; {
			batch := make([]*messages.Question, 0, knownBatch)
			for wait := true; len(batch) < min(knownBatch, r.Window); wait = false {
				var q *messages.Question
				if q, more = take(ctx, incoming, wait); q == nil {
					break
				}
				if r.fresh(q) {
					batch = append(batch, q)
				}
			}
			rest, err := r.passKnown(ctx, batch)
			if err != nil {
				return err
			}
			for _, q := range rest {
				select {
				case r.slots <- struct{}{}:
					questions <- q
				case <-ctx.Done():
					return nil
				}
			}
		}
		return nil
	}()
	return errors.Join(err, group.Wait())
}

// read calls next on a goroutine of its own, so that a source that is slow to
// give the next question does not hold back those it gave. The goroutine ends
// when next has nothing more, or at its first return after ctx has ended.
func read(ctx context.Context, next func() (*messages.Question, bool)) <-chan *messages.Question {
	incoming := make(chan *messages.Question, knownBatch)
	go func() {
		defer close(incoming)
		for ctx.Err() == nil {
			q, more := next()
			if !more {
				return
			}
			select {
			case incoming <- q:
			case <-ctx.Done():
			}
		}
	}()
	return incoming
}

// take returns the next question that is there, waiting for one if wait is
// set; more is false when there will be no more.
func take(ctx context.Context, incoming <-chan *messages.Question, wait bool) (q *messages.Question, more bool) {
	if wait {
		select {
		case q, more = <-incoming:
			return q, more
		case <-ctx.Done():
			return nil, false
		}
	}
	select {
	case q, more = <-incoming:
		return q, more
	default:
		return nil, true
	}
}

// fresh reports whether q is to be asked: it is valid and the first of this run
// with its ID. A question without an ID gets one.
func (r *bulkRun) fresh(q *messages.Question) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.ID == "" {
		q.ID = NewID()
	}
	if err := q.Validate(); err != nil {
		r.Reject(q, err)
		return false
	}
	text, again := r.seen[q.ID]
	if !again {
		r.seen[q.ID] = q.Question
	} else if err := sameText(q, text); err != nil {
		r.Reject(q, err)
	}
	return !again
}

// passKnown passes on the answers that exist and returns the other questions.
func (r *bulkRun) passKnown(ctx context.Context, batch []*messages.Question) ([]*messages.Question, error) {
	ids := make([]string, len(batch))
	for i, q := range batch {
		ids[i] = q.ID
	}
	var known map[string]*messages.Answer
	err := patiently(ctx, func() (err error) {
		known, err = r.client.Answers(ctx, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := batch[:0]
	for _, q := range batch {
		a := known[q.ID]
		if a == nil {
			rest = append(rest, q)
		} else if err := sameText(q, a.Question); err != nil {
			r.Reject(q, err)
		} else {
			r.Answer(a)
		}
	}
	return rest, nil
}

// submit stores one question, retrying until it is stored or rejected. Its slot
// is freed when its answer comes.
func (r *bulkRun) submit(ctx context.Context, q *messages.Question) {
	r.mu.Lock()
	r.pending[q.ID] = &pendingQuestion{q, time.Now()}
	r.mu.Unlock()
	var known *messages.Answer
	err := patiently(ctx, func() (err error) {
		known, err = r.client.store(ctx, q)
		if errors.Is(err, log.ErrNotFound) {
			return nil // a replica lags: recheck finds the answer
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return
	case err == nil && known != nil:
		r.settle(known)
		return
	case err == nil:
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, open := r.pending[q.ID]; open {
		delete(r.pending, q.ID)
		r.Reject(q, err)
		<-r.slots
	}
}

// patiently calls fn again while the pipeline is full or the server cannot be
// reached, until ctx ends: a run survives a restart of the server.
func patiently(ctx context.Context, fn func() error) error {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := fn()
		var broker *log.BrokerError
		if !errors.Is(err, log.ErrFull) && !errors.As(err, &broker) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// settle passes on the answer of a question of this run; the follower also
// hears of other clients' answers, which are ignored.
func (r *bulkRun) settle(a *messages.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ours := r.pending[a.ID]
	if !ours {
		return
	}
	delete(r.pending, a.ID)
	if err := answers(p.Question, a); err != nil {
		r.Reject(p.Question, err)
	} else {
		r.Answer(a)
	}
	<-r.slots
}

// recheck looks for the answers of questions that have been open for long.
func (r *bulkRun) recheck(ctx context.Context) error {
	tick := time.NewTicker(r.Recheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		var old []string
		r.mu.Lock()
		for id, p := range r.pending {
			if time.Since(p.since) > r.Recheck {
				p.since = time.Now()
				old = append(old, id)
			}
		}
		r.mu.Unlock()
		known, err := r.client.Answers(ctx, old)
		if err != nil {
			continue // the log is away; the next look tries again
		}
		for _, a := range known {
			r.settle(a)
		}
	}
}

// drain waits until nothing is pending.
func (r *bulkRun) drain(ctx context.Context) error {
	for range cap(r.slots) {
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// Answers returns the answers that exist of the given questions, by ID.
func (c *Client) Answers(ctx context.Context, ids []string) (map[string]*messages.Answer, error) {
	return c.log.Answers(ctx, ids)
}
