package client

import (
	"context"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"hopstream/messages"
)

// Text is a piece of an answer that a model is writing.
type Text struct {
	// Reset says that what came before is void: the text begins anew.
	Reset bool
	Text  string
}

// textBuffer is how many pieces wait for whoever shows them; more are dropped, as
// those are that the network loses.
const textBuffer = 256

// FollowText calls show with the text of the question's answer while a model
// writes it, piece by piece and in order, from one goroutine, until stop is
// called, after which show is not. The question need not be there yet. The text is
// provisional: the stored answer counts, and may come without any text before it.
// Where a piece is lost, what was shown is reset and the rest of the text left
// out. It fails where the connection does.
func (c *Client) FollowText(id string, show func(Text)) (stop func(), err error) {
	if err := messages.CheckID(id); err != nil {
		return nil, err
	}
	pieces := make(chan *nats.Msg, textBuffer)
	sub, err := c.log.JetStream().Conn().ChanSubscribe(c.log.Names().Text(id), pieces)
	if err != nil {
		return nil, fmt.Errorf("follow the text of question %s: %w", id, err)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		t := texts{id: id, show: show}
		for {
			select {
			case <-done:
				return
			case msg := <-pieces:
				t.take(msg.Data)
			}
		}
	}()
	return sync.OnceFunc(func() {
		_ = sub.Unsubscribe() // fails where the connection is gone, and the subscription with it
		close(done)
		<-ended
	}), nil
}

// AskText is Ask, and shows the answer's text while it is written, as FollowText
// does, until it returns.
func (f *Follower) AskText(ctx context.Context, c *Client, q *messages.Question, show func(Text)) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = NewID()
	}
	stop, err := c.FollowText(q.ID, show)
	if err != nil {
		return nil, err
	}
	defer stop()
	return f.Ask(ctx, c, q)
}

// texts puts the pieces of a question's texts in order.
type texts struct {
	id   string
	show func(Text)

	attempt int64
	next    int // the number of the piece that is due; 0: the rest is left out
	shown   bool
}

// take takes a message of the text's subject; one that is none is passed over.
func (t *texts) take(data []byte) {
	p, err := messages.DecodePreview(data)
	if err != nil || p.ID != t.id || p.Attempt < t.attempt {
		return
	}
	if p.Attempt > t.attempt {
		t.reset()
		t.attempt, t.next = p.Attempt, 1
	}
	switch {
	case p.N == t.next:
		t.next++
		if p.Text != "" {
			t.shown = true
			t.show(Text{Text: p.Text})
		}
	case t.next > 0: // a piece was lost
		t.reset()
		t.next = 0
	}
}

func (t *texts) reset() {
	if t.shown {
		t.shown = false
		t.show(Text{Reset: true})
	}
}
