package runner

import (
	"context"

	"github.com/nats-io/nats.go"

	"hopstream/stages"
)

// keep creates missing streams and consumers whenever the connection is back: a
// server that was killed may have come back without some (see package durable).
// Workers would notice the loss only of what they fetch from, which does not
// include the streams of answers and dead letters.
func (r *Runner) keep(ctx context.Context, table []stages.Stage) error {
	conn := r.log.JetStream().Conn()
	back := conn.StatusChanged(nats.CONNECTED)
	defer conn.RemoveStatusListener(back)
	for {
		select {
		case <-back:
		case <-ctx.Done():
			return nil
		}
		for failures := 1; ; failures++ {
			err := r.log.Ensure(ctx, r.opts.Streams, table)
			if err == nil || ctx.Err() != nil {
				break
			}
			r.opts.Logger.Warn("cannot see to the streams; trying again", "error", err, "failures", failures)
			if !sleep(ctx, backoff(failures)) {
				break
			}
		}
	}
}
