package runner

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hopstream/stages/pause"
)

// PauseNoticed is how long after an operator's word a router may still take
// questions: until it looks again, and its last fetch is over.
const PauseNoticed = gateEvery + fetchWait

// pauseGate lets no question through while an operator says so.
type pauseGate struct {
	store  *pause.Store
	logger *slog.Logger

	mu      sync.Mutex // guards the below: every lane's reader asks
	checked time.Time
	closed  bool
}

// open waits while questions are not to be taken. It returns an error if that
// cannot be read, after which the caller backs off and asks again.
func (g *pauseGate) open(ctx context.Context) error {
	for {
		closed, err := g.look(ctx)
		if err != nil || !closed {
			return err
		}
		if !sleep(ctx, gateEvery) {
			return ctx.Err()
		}
	}
}

// look says whether questions are not to be taken, as it was read within the time
// that a check is used.
func (g *pauseGate) look(ctx context.Context) (closed bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.checked) < gateEvery {
		return g.closed, nil
	}
	state, err := g.store.Read(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case state.Paused && !g.closed:
		g.logger.Warn("no questions are taken", "why", state.String())
	case !state.Paused && g.closed:
		g.logger.Info("questions are taken again")
	}
	g.closed, g.checked = state.Paused, time.Now()
	return g.closed, nil
}
