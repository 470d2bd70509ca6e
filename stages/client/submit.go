package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nuid"
	"go.opentelemetry.io/otel/trace"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// ErrClash says that an ID stands for another question already.
var ErrClash = errors.New("the ID is taken by another question")

// ErrOpen says that a question is stored and has no answer yet.
var ErrOpen = errors.New("still open")

// Client submits questions to the log.
type Client struct {
	log     *log.Log
	tracer  *tracing.Tracer
	tenants *log.Tenants
	lanes   lanes
}

// New returns a client.
func New(j *log.Log) *Client {
	return &Client{log: j, tenants: j.Tenants(log.Config{}),
		lanes: lanes{noticed: map[messages.Lane]time.Time{}, rooms: map[string]*room{}}}
}

// Traced returns a client that records the span of each question it stores, under
// the span that the context of its call carries, or in a trace of its own.
func (c *Client) Traced(t *tracing.Tracer) *Client {
	d := New(c.log)
	d.tracer = t
	return d
}

// NewID returns an ID no other question has.
func NewID() string { return nuid.Next() }

// Submit stores q, giving it an ID if it has none. Where the question was
// answered before it returns that answer; where it is open already it returns
// nil, as for a new one. It fails with ErrClash if the ID belongs to a
// question of another text, with log.ErrFull if the pipeline admits no
// more (*TenantFull: of its tenant), and with what Validate says if q cannot be asked.
func (c *Client) Submit(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	named := q.ID != ""
	if !named {
		q.ID = NewID()
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if named {
		// An answered question may not be removed yet: the answer counts first.
		open, err := c.openAnywhere(ctx, q)
		if err != nil {
			return nil, err
		}
		a, aerr := c.log.Answer(ctx, q.ID)
		switch {
		case aerr == nil:
			return a, sameText(q, a.Question)
		case !errors.Is(aerr, log.ErrNotFound) || open:
			return nil, notMissing(aerr)
		}
		return c.store(ctx, q)
	}
	a, err := c.log.Answer(ctx, q.ID)
	if err == nil {
		return a, sameText(q, a.Question)
	}
	if !errors.Is(err, log.ErrNotFound) {
		return nil, err
	}
	return c.store(ctx, q)
}

// notMissing is err, or nil if it says that there is no answer.
func notMissing(err error) error {
	if errors.Is(err, log.ErrNotFound) {
		return nil
	}
	return err
}

// openAnywhere reports whether q is open already, in whichever lane. It fails with
// ErrClash if another question of its ID is.
func (c *Client) openAnywhere(ctx context.Context, q *messages.Question) (bool, error) {
	all, err := c.log.Questions(ctx, q.ID)
	if err != nil {
		return false, err
	}
	open := false
	for _, s := range all {
		m, err := s.Decode(c.log.Names())
		if err != nil {
			continue // it becomes a dead letter
		}
		if err := sameText(q, m.(*messages.Question).Question); err != nil {
			return false, err
		}
		open = true
	}
	return open, nil
}

// store stores a question that is not known to be answered. One that is open
// already counts as stored, if it is the same; one that was answered in
// between returns its answer. It fails with log.ErrNotFound if the question
// was closed in between and a lagging replica does not have its answer yet.
func (c *Client) store(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	lane := q.Key().Lane
	tenant, _ := lane.Of()
	if err := c.enter(ctx, tenant); err != nil {
		return nil, err
	}
	c.notice(lane)
	err := c.put(ctx, q)
	if !errors.Is(err, log.ErrStored) {
		return nil, err
	}
	if open, err := c.openAnywhere(ctx, q); open || err != nil {
		return nil, err
	}
	a, err := c.log.Answer(ctx, q.ID)
	if err != nil {
		return nil, err
	}
	return a, sameText(q, a.Question)
}

// put stores a question, with the place of the client's span where it records one.
func (c *Client) put(ctx context.Context, q *messages.Question) error {
	if !c.tracer.On() {
		return c.log.Put(ctx, q)
	}
	parent, own := c.tracer.Start(ctx)
	started := time.Now()
	q.Meta().Trace = tracing.Format(own)
	err := c.log.Put(ctx, q)
	if err == nil && own.IsSampled() { // else nobody would ask for it: the client does not learn how the question ends
		name, attributes := tracing.Sent(c.log.Names(), messages.KindQuestion, q.Key())
		c.tracer.Record(&tracing.Span{Name: name, Kind: trace.SpanKindProducer, Own: own, Parent: parent, Start: started, End: time.Now(), Attributes: attributes})
	}
	return err
}

// SubmitWait is Submit, waiting while the pipeline is full.
func (c *Client) SubmitWait(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	full := false
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		a, err := c.Submit(ctx, q)
		if full && ctx.Err() != nil && err != nil {
			return nil, errors.Join(log.ErrFull, ctx.Err()) // cut off while asking again
		}
		if !errors.Is(err, log.ErrFull) {
			return a, err
		}
		full = true
		select {
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// Cancel ends a question as cancelled and tells the workers. It returns the
// answer that stands: the cancelled one, or the one that was there before,
// with log.ErrStored.
func (c *Client) Cancel(ctx context.Context, id string) (*messages.Answer, error) {
	if err := messages.CheckID(id); err != nil {
		return nil, err
	}
	if a, err := c.log.Answer(ctx, id); err == nil {
		return a, log.ErrStored
	} else if !errors.Is(err, log.ErrNotFound) {
		return nil, err
	}
	all, err := c.log.Questions(ctx, id)
	if err == nil && len(all) == 0 {
		err = log.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("question %s: %w", id, err)
	}
	stored := all[0] // of several in different lanes, the one that counts
	asked := log.Asked(stored.Header, stored.Time)
	place := c.tracer.Question(tracing.Parse(stored.Header.Get(log.TraceHeader)), id, asked)
	head := &messages.Head{ID: id, Asked: asked, Trace: tracing.Format(place)}
	if m, err := stored.Decode(c.log.Names()); err == nil {
		head.Question = m.(*messages.Question).Question
	}
	a := messages.NewAnswer(head, messages.Cancelled, messages.Finding{}, "cancelled on request", time.Now())
	if err := c.log.End(ctx, a); errors.Is(err, log.ErrStored) {
		a, ferr := c.log.Answer(ctx, id)
		return a, errors.Join(err, ferr)
	} else if err != nil {
		return nil, err
	}
	return a, c.log.JetStream().Conn().Publish(c.log.Names().Cancelled(id), nil)
}

// sameText fails with ErrClash unless q has the text stored under its ID.
func sameText(q *messages.Question, stored string) error {
	if q.Question != stored {
		return fmt.Errorf("question %s: %w (%.60q): choose a new ID", q.ID, ErrClash, stored)
	}
	return nil
}
