package log

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// putTimeout is how long the server may take to confirm an asynchronous put.
const putTimeout = 5 * time.Second

// publisher stores messages without a goroutine waiting for each: one
// subscription receives the confirmations of all. A waiting goroutine, with
// its wake-up, costs as much as the server's storing does.
type publisher struct {
	nc     *nats.Conn
	prefix string
	sub    *nats.Subscription
	stop   chan struct{}
	ended  chan struct{}

	mu   sync.Mutex // guards next and wait
	next uint64
	wait map[uint64]*waiting
}

// waiting is a put that is not confirmed yet.
type waiting struct {
	msg  *nats.Msg
	due  time.Time
	done func(error)
}

// PutAsync is Put without waiting: done is called once with Put's result, on
// the goroutine that receives confirmations (or, if m cannot be sent at all,
// on the caller's). It must not block, and not call the log's waiting
// methods.
func (l *Log) PutAsync(m messages.Message, done func(error)) {
	msg, err := l.message(m)
	if err != nil {
		done(err)
		return
	}
	p, err := l.putter()
	if err != nil {
		done(err)
		return
	}
	p.send(msg, done)
}

// DropQuestionAsync is DropQuestion without waiting for the result. If it fails,
// the sentinel of package runner removes the question later.
func (l *Log) DropQuestionAsync(seq uint64) error {
	body := strconv.AppendUint([]byte(`{"no_erase":true,"seq":`), seq, 10)
	return l.js.Conn().Publish(l.dropSubject, append(body, '}'))
}

// putter returns the log's publisher, starting it at first use.
func (l *Log) putter() (*publisher, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.publisher != nil {
		return l.publisher, nil
	}
	nc := l.js.Conn()
	p := &publisher{nc: nc, prefix: nc.NewInbox() + ".", wait: map[uint64]*waiting{},
		stop: make(chan struct{}), ended: make(chan struct{})}
	sub, err := nc.Subscribe(p.prefix+"*", p.confirm)
	if err != nil {
		return nil, &BrokerError{fmt.Errorf("listen for confirmations: %w", err)}
	}
	p.sub = sub
	go p.sweep() // ends with close
	l.publisher = p
	return p, nil
}

func (p *publisher) send(msg *nats.Msg, done func(error)) {
	p.mu.Lock()
	p.next++
	token := p.next
	p.wait[token] = &waiting{msg, time.Now().Add(putTimeout), done}
	p.mu.Unlock()
	msg.Reply = p.prefix + strconv.FormatUint(token, 36)
	if err := p.nc.PublishMsg(msg); err != nil {
		p.finish(token, err)
	}
}

// confirm handles the server's reply to a put.
func (p *publisher) confirm(m *nats.Msg) {
	token, err := strconv.ParseUint(strings.TrimPrefix(m.Subject, p.prefix), 36, 64)
	if err != nil {
		return
	}
	p.finish(token, confirmation(m))
}

func confirmation(m *nats.Msg) error {
	if status(m) == "503" {
		return jetstream.ErrNoStreamResponse
	}
	// The common answer, {"stream":"…","seq":n}, needs no parsing.
	if bytes.HasPrefix(m.Data, []byte(`{"stream":"`)) {
		return nil
	}
	var ack struct {
		Stream string              `json:"stream"`
		Error  *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &ack); err != nil {
		return fmt.Errorf("unreadable confirmation: %w", err)
	}
	if ack.Error != nil {
		return ack.Error
	}
	if ack.Stream == "" {
		return errors.New("confirmation without a stream")
	}
	return nil
}

func (p *publisher) finish(token uint64, err error) {
	p.mu.Lock()
	w := p.wait[token]
	delete(p.wait, token)
	p.mu.Unlock()
	if w == nil {
		return // it timed out before
	}
	if err != nil {
		err = putError(w.msg, err)
	}
	w.done(err)
}

// sweep ends puts that were never confirmed.
func (p *publisher) sweep() {
	defer close(p.ended)
	tick := time.NewTicker(putTimeout / 10)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case now := <-tick.C:
			p.expire(func(w *waiting) bool { return now.After(w.due) }, nats.ErrTimeout)
			if p.nc.IsClosed() {
				p.expire(func(*waiting) bool { return true }, nats.ErrConnectionClosed)
			}
		}
	}
}

func (p *publisher) expire(over func(*waiting) bool, err error) {
	var late []uint64
	p.mu.Lock()
	for token, w := range p.wait {
		if over(w) {
			late = append(late, token)
		}
	}
	p.mu.Unlock()
	for _, token := range late {
		p.finish(token, err)
	}
}

func (p *publisher) close() {
	_ = p.sub.Unsubscribe()
	close(p.stop)
	<-p.ended
	p.expire(func(*waiting) bool { return true }, nats.ErrConnectionClosed)
}

// message makes the NATS message that stores m once.
func (l *Log) message(m messages.Message) (*nats.Msg, error) {
	data, err := messages.Encode(m)
	if err != nil {
		return nil, fault.AsPermanent(err)
	}
	msg := &nats.Msg{Subject: l.names.Of(m), Data: data}
	if !m.Kind().Inner() {
		msg.Header = nats.Header{jetstream.ExpectedLastSubjSeqHeader: zeroSeq}
		if q, ok := m.(*messages.Question); ok && q.Meta().Trace != "" {
			msg.Header[TraceHeader] = []string{q.Meta().Trace}
		}
	}
	return msg, nil
}
