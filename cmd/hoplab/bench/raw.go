package bench

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
)

// raw is the ceiling: plain JetStream workers that move messages of the given
// shape from stream to stream. Each consumes, publishes and, when the publish
// is stored, acks; nothing else. Where several messages of one hop meet in one
// of the next, they are counted in memory.
type raw struct {
	js    jetstream.JetStream
	shape []hop
	wait  sync.Map // of the published message, by *nats.Msg: the input to ack
	done  chan string
	joins []joinCount
}

type joinCount struct {
	mu   sync.Mutex
	seen map[string]int
}

// rawRound returns questions per second with many open, and latencies of some
// asked one at a time, in milliseconds.
func rawRound(ctx context.Context, a *cli.App, shape []hop, o Options) (p pace, latency []float64, err error) {
	l, err := broker.Temporary(a.Config, a.Log)
	if err != nil {
		return p, nil, err
	}
	defer l.Close()
	r := &raw{shape: shape, done: make(chan string, o.Window+1), joins: make([]joinCount, len(shape))}
	r.js, err = jetstream.New(l.NC,
		jetstream.WithPublishAsyncMaxPending(1<<14),
		jetstream.WithPublishAsyncAckHandler(func(_ jetstream.JetStream, m *nats.Msg, _ *jetstream.PubAck) {
			if in, ok := r.wait.LoadAndDelete(m); ok {
				in.(func())()
			}
		}))
	if err != nil {
		return p, nil, err
	}
	stop, err := r.start(ctx)
	if err != nil {
		return p, nil, err
	}
	defer stop()
	ask := func(id string) error {
		_, err := r.js.PublishMsgAsync(&nats.Msg{Subject: subjectOf(0, id, 0), Data: make([]byte, shape[0].bytes)})
		return err
	}
	for i := range 300 {
		started := nowMS()
		if err := ask("one" + strconv.Itoa(i)); err != nil {
			return p, nil, err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return p, nil, ctx.Err()
		}
		if i >= 100 {
			latency = append(latency, nowMS()-started)
		}
	}
	p, err = measure(o.Questions, func() error { return r.askAll(ctx, ask, o) })
	return p, latency, err
}

// askAll keeps o.window questions open until all have come through.
func (r *raw) askAll(ctx context.Context, ask func(id string) error, o Options) error {
	open := 0
	for i := 0; i < o.Questions || open > 0; {
		if i < o.Questions && open < o.Window {
			if err := ask("q" + strconv.Itoa(i)); err != nil {
				return err
			}
			i++
			open++
			continue
		}
		select {
		case <-r.done:
			open--
		case <-time.After(30 * time.Second):
			return errors.New("the plain workers stand still")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func subjectOf(hop int, id string, branch int) string {
	s := "raw." + strconv.Itoa(hop) + "." + id
	if branch > 0 {
		s += "." + strconv.Itoa(branch)
	}
	return s
}

// start creates a stream per hop and a worker on each.
func (r *raw) start(ctx context.Context) (stop func(), err error) {
	var running []jetstream.ConsumeContext
	stop = func() {
		for _, c := range running {
			c.Stop()
			<-c.Closed()
		}
	}
	for i := range r.shape {
		r.joins[i].seen = map[string]int{}
		name := fmt.Sprintf("raw-%d", i)
		if _, err := r.js.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{fmt.Sprintf("raw.%d.>", i)}, Storage: jetstream.FileStorage}); err != nil {
			stop()
			return nil, err
		}
		c, err := r.js.CreateConsumer(ctx, name, jetstream.ConsumerConfig{Durable: "w", AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: 1 << 16})
		if err != nil {
			stop()
			return nil, err
		}
		cc, err := c.Consume(func(m jetstream.Msg) { r.work(i, m) }, jetstream.PullMaxMessages(512))
		if err != nil {
			stop()
			return nil, err
		}
		running = append(running, cc)
	}
	return stop, nil
}

// work moves one message on.
func (r *raw) work(i int, m jetstream.Msg) {
	parts := strings.Split(m.Subject(), ".")
	id := parts[2]
	if i == len(r.shape)-1 {
		_ = m.Ack()
		r.done <- id
		return
	}
	here, next := r.shape[i], r.shape[i+1]
	branch := 0
	if len(parts) > 3 {
		branch, _ = strconv.Atoi(parts[3])
	}
	var outs []int
	switch {
	case next.fan > here.fan: // fan out
		for b := range next.fan {
			outs = append(outs, b+1)
		}
	case next.fan < here.fan: // join
		j := &r.joins[i]
		j.mu.Lock()
		j.seen[id]++
		whole := j.seen[id] == here.fan
		if whole {
			delete(j.seen, id)
		}
		j.mu.Unlock()
		if !whole {
			_ = m.Ack()
			return
		}
		outs = []int{0}
	default:
		outs = []int{branch}
	}
	left := len(outs)
	var mu sync.Mutex
	stored := func() {
		mu.Lock()
		left--
		last := left == 0
		mu.Unlock()
		if last {
			_ = m.Ack()
		}
	}
	for _, b := range outs {
		msg := &nats.Msg{Subject: subjectOf(i+1, id, b), Data: make([]byte, next.bytes)}
		r.wait.Store(msg, stored)
		if _, err := r.js.PublishMsgAsync(msg); err != nil {
			r.wait.Delete(msg)
		}
	}
}
