package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// Follower hears of every answer stored after it was opened.
type Follower struct {
	iter jetstream.MessagesContext
	done chan struct{}

	mu   sync.Mutex // guards wait, where several may wait for one question
	wait map[string][]chan *messages.Answer
	all  func(*messages.Answer)
}

// Follow begins to follow the answers. fn, if not nil, gets every answer, in
// order, from one goroutine; it must not block for long.
func (c *Client) Follow(ctx context.Context, fn func(*messages.Answer)) (*Follower, error) {
	names := c.log.Names()
	js := c.log.JetStream()
	stream, err := js.Stream(ctx, names.Stream(messages.KindAnswer))
	if err != nil {
		return nil, fmt.Errorf("follow answers: %w", err)
	}
	cons, err := js.OrderedConsumer(ctx, names.Stream(messages.KindAnswer), jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:   stream.CachedInfo().State.LastSeq + 1,
		// A lost server is waited for as long as the caller waits.
		MaxResetAttempts: -1, InactiveThreshold: 5 * time.Minute,
	})
	if err != nil {
		return nil, fmt.Errorf("follow answers: %w", err)
	}
	iter, err := cons.Messages(jetstream.PullMaxMessages(1000))
	if err != nil {
		return nil, fmt.Errorf("follow answers: %w", err)
	}
	f := &Follower{iter: iter, done: make(chan struct{}), wait: map[string][]chan *messages.Answer{}, all: fn}
	go f.run() // ends with Close
	return f, nil
}

func (f *Follower) run() {
	defer close(f.done)
	for {
		msg, err := f.iter.Next()
		if err != nil {
			if isClosed(err) {
				return
			}
			continue
		}
		m, err := messages.Decode(messages.KindAnswer, msg.Data())
		if err != nil {
			continue // not written by a pipeline; its question is not ours
		}
		a := m.(*messages.Answer)
		if f.all != nil {
			f.all(a)
		}
		f.mu.Lock()
		waiting := f.wait[a.ID]
		delete(f.wait, a.ID)
		f.mu.Unlock()
		for _, ch := range waiting {
			ch <- a // holds one
		}
	}
}

// Expect returns a channel that will hold the answer of the question, which
// must not have been answered before. Forget gives up waiting.
func (f *Follower) Expect(id string) <-chan *messages.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan *messages.Answer, 1)
	f.wait[id] = append(f.wait[id], ch)
	return ch
}

// Forget gives up a channel that Expect returned.
func (f *Follower) Forget(id string, ch <-chan *messages.Answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	left := slices.DeleteFunc(f.wait[id], func(c chan *messages.Answer) bool { return c == ch })
	if len(left) == 0 {
		delete(f.wait, id)
	} else {
		f.wait[id] = left
	}
}

// Close stops following.
func (f *Follower) Close() {
	f.iter.Stop()
	<-f.done
}

// Ask submits q and waits for its answer. It fails as SubmitWait does, and with
// ErrOpen if ctx ends, or f is closed, while the question is open.
func (f *Follower) Ask(ctx context.Context, c *Client, q *messages.Question) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = NewID()
	}
	ch := f.Expect(q.ID)
	defer f.Forget(q.ID, ch)
	a, err := c.SubmitWait(ctx, q)
	if err != nil || a != nil {
		return a, err
	}
	select {
	case a := <-ch:
		return a, answers(q, a)
	case <-f.done:
		return nil, fmt.Errorf("question %s is %w: the follower was closed", q.ID, ErrOpen)
	case <-ctx.Done():
		return nil, fmt.Errorf("question %s is %w: %w", q.ID, ErrOpen, ctx.Err())
	}
}

// answers fails with ErrClash if a is the answer to another question of q's ID, which
// was put into another lane. What could not be read has an answer without a question.
func answers(q *messages.Question, a *messages.Answer) error {
	if a.Question == "" {
		return nil
	}
	return sameText(q, a.Question)
}

func isClosed(err error) bool {
	return errors.Is(err, jetstream.ErrMsgIteratorClosed) || errors.Is(err, nats.ErrConnectionClosed)
}
