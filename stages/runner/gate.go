package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/storage"
)

// GateOptions bound what the router lets in. While a bound is exceeded the
// router takes no questions; they wait in the question stream, which refuses
// more when it is full. The streams inside the loop are never bounded: a
// cycle of full queues would deadlock.
type GateOptions struct {
	MaxLag   uint64 // of the slowest stage behind the router; 50,000
	MaxBytes uint64 // stored in all streams; 0: no bound but the server's
}

// gate is the router's admission. Since it looks at the streams, it also sees to it
// that they stay within their bounds.
type gate struct {
	log     *log.Log
	opts    GateOptions
	trimmer *storage.Trimmer

	mu      sync.Mutex // guards the below: whoever reads ahead asks too
	checked time.Time
	result  error
}

func newGate(l *log.Log, o GateOptions, t *storage.Trimmer) *gate {
	if o.MaxLag == 0 {
		o.MaxLag = 50_000
	}
	return &gate{log: l, opts: o, trimmer: t}
}

// How long the result of one check is used.
const (
	gateEvery       = 2 * time.Second
	gateEveryClosed = 100 * time.Millisecond
)

// open waits until questions may be taken. It returns an error if the bounds
// cannot be read or are exceeded, after which the caller backs off and asks
// again.
func (g *gate) open(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	every := gateEvery
	if g.result != nil {
		every = gateEveryClosed
	}
	if time.Since(g.checked) < every {
		return g.result
	}
	g.result = g.check(ctx)
	g.checked = time.Now()
	return g.result
}

// check returns nil if questions may be taken.
func (g *gate) check(ctx context.Context) error {
	if err := g.trimmer.Trim(ctx); err != nil {
		return fmt.Errorf("no questions are taken until there is room: %w", err)
	}
	for _, s := range stages.Pipeline() {
		if s.Input == messages.KindQuestion {
			continue
		}
		lag, err := g.log.Lag(ctx, s)
		if err != nil {
			return err
		}
		if lag.Total() > g.opts.MaxLag {
			return fmt.Errorf("stage %s is %d messages behind (bound %d): no questions are taken until it catches up", s.Name, lag.Total(), g.opts.MaxLag)
		}
	}
	if g.opts.MaxBytes > 0 {
		var bytes uint64
		for _, k := range messages.Kinds() {
			st, err := g.log.StreamState(ctx, k)
			if err != nil {
				return err
			}
			bytes += st.Bytes
		}
		if bytes > g.opts.MaxBytes {
			return fmt.Errorf("the streams hold %d bytes (bound %d): no questions are taken until the trace ages out", bytes, g.opts.MaxBytes)
		}
	}
	return nil
}
