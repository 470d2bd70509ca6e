package session

import (
	"context"
	"fmt"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/index/docstream"
	"hopstream/stages"
)

// StillFor is how long commands wait for an answer before they print a hint.
const StillFor = 10 * time.Second

// HintWhenStill watches done, the number of answers so far. When the number has
// not changed for the given time, it prints on standard error what may be wrong,
// and does not print again before the next answer has come. The returned function
// stops the watch and waits until it has stopped.
func (s *Session) HintWhenStill(ctx context.Context, after time.Duration, done func() int) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(after / 10)
		defer tick.Stop()
		last, since, told := done(), time.Now(), false
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if n := done(); n != last {
				last, since, told = n, time.Now(), false
			}
			if !told && time.Since(since) > after {
				told = true
				s.App.Complain("no answer for %v: %s", after, s.whyStill(ctx))
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// whyStill returns the most likely reason: the first stage that no worker takes
// messages for, or an index that is not ready.
func (s *Session) whyStill(ctx context.Context) string {
	for _, st := range stages.Pipeline() {
		lag, err := s.Log.Lag(ctx, st)
		if err != nil {
			return cli.OneLine(err)
		}
		if lag.Waiting == 0 && lag.AckPending == 0 {
			if all, err := node.Positions(ctx, s.Conn); err == nil && st.Searches {
				for _, p := range all {
					if p.State == node.StateLoading || p.State == node.StateInterrupted {
						return fmt.Sprintf("an index is %s, documents up to %s so far (see: hopstream status)", p.State, docstream.Grouped(p.Sequence))
					}
				}
			}
			return fmt.Sprintf("no worker runs stage %s, or it takes none for now: start one with `hopstream up`, or see its log", st.Name)
		}
	}
	return "still waiting (see: hopstream status, or the workers' logs)"
}
