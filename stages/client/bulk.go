package client

import (
	"context"
	"errors"
	"fmt"
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
	// Answer gets every answer as it comes, from several goroutines in turn,
	// never two at once.
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

// fresh reports whether q is to be asked; it names it if it has no ID.
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
	if again && text != q.Question {
		r.Reject(q, fmt.Errorf("question %s: %w (%.60q): choose a new ID", q.ID, ErrClash, text))
	}
	r.seen[q.ID] = q.Question
	if again {
		r.seen[q.ID] = text
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
		switch {
		case a == nil:
			rest = append(rest, q)
		case a.Question != q.Question:
			r.Reject(q, fmt.Errorf("question %s: %w (%.60q): choose a new ID", q.ID, ErrClash, a.Question))
		default:
			r.Answer(a)
		}
	}
	return rest, nil
}

// submit stores one question, for as long as that takes; its slot is freed by
// its answer.
func (r *bulkRun) submit(ctx context.Context, q *messages.Question) {
	r.mu.Lock()
	r.pending[q.ID] = &pendingQuestion{since: time.Now()}
	r.mu.Unlock()
	var known *messages.Answer
	err := patiently(ctx, func() (err error) {
		known, err = r.client.store(ctx, q)
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

// patiently calls fn until the pipeline is neither full nor away, or ctx ends:
// a batch outlives a restart of the server.
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

// settle takes an answer, which may be anybody's.
func (r *bulkRun) settle(a *messages.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ours := r.pending[a.ID]; !ours {
		return
	}
	delete(r.pending, a.ID)
	r.Answer(a)
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
	names := c.log.Names()
	subjects := make([]string, len(ids))
	for i, id := range ids {
		subjects[i] = names.Subject(messages.KindAnswer, messages.Key{ID: id})
	}
	got, err := c.log.Last(ctx, messages.KindAnswer, subjects)
	if err != nil {
		return nil, err
	}
	known := make(map[string]*messages.Answer, len(got))
	for _, s := range got {
		if m, err := s.Decode(names); err == nil {
			a := m.(*messages.Answer)
			known[a.ID] = a
		}
	}
	return known, nil
}

// store stores a question that is not known to be answered. One that is open
// already counts as stored, if it is the same; one that was answered in
// between returns its answer.
func (c *Client) store(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	err := c.log.Put(ctx, q)
	if !errors.Is(err, log.ErrStored) {
		return nil, err
	}
	open, err := log.Find[*messages.Question](ctx, c.log, messages.KindQuestion, messages.Key{ID: q.ID})
	if errors.Is(err, log.ErrNotFound) {
		a, err := c.log.Answer(ctx, q.ID)
		if errors.Is(err, log.ErrNotFound) {
			return nil, nil // a replica lags: the recheck finds it
		}
		if err != nil {
			return nil, err
		}
		return a, sameText(q, a.Question)
	}
	if err != nil {
		return nil, err
	}
	return nil, sameText(q, open.Question)
}
