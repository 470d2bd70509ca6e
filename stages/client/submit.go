package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nuid"

	"hopstream/messages"
	"hopstream/stages/log"
)

// ErrClash says that an ID stands for another question already.
var ErrClash = errors.New("the ID is taken by another question")

// ErrOpen says that a question is stored and has no answer yet.
var ErrOpen = errors.New("still open")

// Client submits questions to the log.
type Client struct{ log *log.Log }

// New returns a client.
func New(j *log.Log) *Client { return &Client{j} }

// NewID returns an ID no other question has.
func NewID() string { return nuid.Next() }

// Submit stores q, giving it an ID if it has none. Where the question was
// answered before it returns that answer; where it is open already it returns
// nil, as for a new one. It fails with ErrClash if the ID belongs to a
// question of another text, with log.ErrFull if the pipeline admits no
// more, and with what Validate says if q cannot be asked.
func (c *Client) Submit(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = NewID()
	}
	if err := q.Validate(); err != nil {
		return nil, err
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

// store stores a question that is not known to be answered. One that is open
// already counts as stored, if it is the same; one that was answered in
// between returns its answer. It fails with log.ErrNotFound if the question
// was closed in between and a lagging replica does not have its answer yet.
func (c *Client) store(ctx context.Context, q *messages.Question) (*messages.Answer, error) {
	err := c.log.Put(ctx, q)
	if !errors.Is(err, log.ErrStored) {
		return nil, err
	}
	open, err := log.Find[*messages.Question](ctx, c.log, messages.KindQuestion, messages.Key{ID: q.ID})
	if errors.Is(err, log.ErrNotFound) {
		a, err := c.log.Answer(ctx, q.ID)
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
	stored, err := c.log.Get(ctx, messages.KindQuestion, messages.Key{ID: id})
	if err != nil {
		return nil, fmt.Errorf("question %s: %w", id, err)
	}
	head := &messages.Head{ID: id, Asked: stored.Time}
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
