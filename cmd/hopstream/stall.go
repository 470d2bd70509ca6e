package main

import (
	"context"
	"fmt"
	"time"

	"hopstream/index/docstream"
	"hopstream/stages"
)

// stillFor is how long nothing may be answered before there is a word about it.
const stillFor = 10 * time.Second

// hintWhenStill tells on standard error, once for every stillness, what may be
// the matter when done has not changed for a while. The returned function ends it.
func (s *session) hintWhenStill(ctx context.Context, after time.Duration, done func() int) (stop func()) {
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
				fmt.Fprintf(s.app.err, "hopstream: no answer for %v: %s\n", after, s.whyStill(ctx))
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// whyStill looks for workers that do not ask for work.
func (s *session) whyStill(ctx context.Context) string {
	for _, st := range stages.Pipeline() {
		lag, err := s.log.Lag(ctx, st)
		if err != nil {
			return oneLine(err)
		}
		if lag.Waiting == 0 && lag.AckPending == 0 {
			if all, err := s.link.positions(ctx); err == nil && st.Name == "retriever" {
				for _, p := range all {
					if p.State == stateLoading || p.State == stateInterrupted {
						return fmt.Sprintf("an index is %s, documents up to %s so far (see: hopstream status)", p.State, docstream.Grouped(p.Sequence))
					}
				}
			}
			return fmt.Sprintf("no worker runs stage %s, or it takes none for now: start one with `hopstream up`, or see its log", st.Name)
		}
	}
	return "still waiting (see: hopstream status, or the workers' logs)"
}
