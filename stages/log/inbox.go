package log

import (
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// inbox receives the answers of reads that are answered by several messages:
// one subscription for all of them, since the join reads several times per
// question and a subscription per read would cost more than the read.
type inbox struct {
	prefix string
	sub    *nats.Subscription

	mu   sync.Mutex // guards next and wait
	next uint64
	wait map[string]*reading
}

// reading is one read under way.
type reading struct {
	got  chan *nats.Msg
	over chan struct{} // closed when the reader has gone
}

// receiver returns the log's inbox, opening it at first use.
func (l *Log) receiver() (*inbox, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inbox != nil {
		return l.inbox, nil
	}
	in := &inbox{prefix: l.js.Conn().NewInbox() + ".", wait: map[string]*reading{}}
	sub, err := l.js.Conn().Subscribe(in.prefix+"*", in.deliver)
	if err != nil {
		return nil, readError("inbox", err)
	}
	in.sub, l.inbox = sub, in
	return in, nil
}

func (in *inbox) open() (reply string, r *reading) {
	r = &reading{got: make(chan *nats.Msg, 16), over: make(chan struct{})}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.next++
	token := strconv.FormatUint(in.next, 36)
	in.wait[token] = r
	return in.prefix + token, r
}

func (in *inbox) done(reply string, r *reading) {
	in.mu.Lock()
	delete(in.wait, strings.TrimPrefix(reply, in.prefix))
	in.mu.Unlock()
	close(r.over)
}

func (in *inbox) deliver(m *nats.Msg) {
	in.mu.Lock()
	r := in.wait[strings.TrimPrefix(m.Subject, in.prefix)]
	in.mu.Unlock()
	if r == nil {
		return
	}
	select {
	case r.got <- m:
	case <-r.over:
	}
}

func (in *inbox) close() { _ = in.sub.Unsubscribe() }
