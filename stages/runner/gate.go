package runner

import (
	"context"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
)

// GateOptions bound what the router lets in. While a bound is exceeded the
// router takes no questions; they wait in the question stream, which refuses
// more when it is full. The streams inside the loop are never bounded: a
// cycle of full queues would deadlock.
type GateOptions struct {
	MaxLag   uint64 // of the slowest stage behind the router; 50,000
	MaxBytes uint64 // stored in all streams; 0: no bound but the server's
}

// gate is the router's admission.
type gate struct {
	log     *log.Log
	opts    GateOptions
	checked time.Time
}

func newGate(l *log.Log, o GateOptions) *gate {
	if o.MaxLag == 0 {
		o.MaxLag = 50_000
	}
	return &gate{log: l, opts: o}
}

// gateEvery is how long the result of one check is used.
const gateEvery = 2 * time.Second

// open waits until questions may be taken. It returns an error if the bounds
// cannot be read or are exceeded, after which the caller backs off and asks
// again.
func (g *gate) open(ctx context.Context) error {
	if time.Since(g.checked) < gateEvery {
		return nil
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
	g.checked = time.Now()
	return nil
}
