package drain

import (
	"context"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/runner"
)

// Left is what is to be done while no questions are taken.
type Left struct {
	Waiting  uint64 `json:"waiting"`   // questions that were not begun
	Underway uint64 `json:"underway"`  // questions that were
	Messages uint64 `json:"in_flight"` // between the stages
}

// Look counts what is left.
func Look(ctx context.Context, l *log.Log) (left Left, err error) {
	open, err := l.StreamState(ctx, messages.KindQuestion)
	if err != nil {
		return left, err
	}
	for _, s := range stages.Pipeline() {
		lag, err := l.Lag(ctx, s)
		if err != nil {
			return left, err
		}
		if s.Input == messages.KindQuestion {
			left.Waiting = lag.Pending
			left.Messages += uint64(max(0, lag.AckPending))
		} else {
			left.Messages += lag.Total()
		}
	}
	left.Underway = open.Msgs - min(open.Msgs, left.Waiting)
	return left, nil
}

// AwaitEmpty waits until no question is under way, which it does not believe before
// every router must have noticed that none is to be taken. say is called with what is
// left whenever that has changed. It fails when ctx ends before.
func AwaitEmpty(ctx context.Context, l *log.Log, say func(Left)) (Left, error) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	began, empty := time.Now(), time.Time{}
	said := Left{Waiting: ^uint64(0)}
	for {
		left, err := Look(ctx, l)
		if err != nil {
			return left, err
		}
		if left != said {
			say(left)
			said = left
		}
		switch {
		case left.Underway > 0 || left.Messages > 0:
			empty = time.Time{}
		case empty.IsZero():
			empty = time.Now()
		case time.Since(empty) > askEvery && time.Since(began) > runner.PauseNoticed:
			return left, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return left, fmt.Errorf("questions are still under way: %w", ctx.Err())
		}
	}
}
