package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hopstream/cmd/internal/config"
	"hopstream/messages"
	"hopstream/stages/meter"
)

// TestGiveUp holds that what a search goes on without is noted with its delivery,
// and as the question's time or the searcher's own, whichever ran out.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	late, early := time.Now().Add(-time.Second), time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		timeout time.Duration // of each searcher
		until   time.Time     // the delivery's
		err     error
		want    string
	}{
		"failed":                    {0, early, errors.New("away"), "away"},
		"a model has no time":       {0, early, fmt.Errorf("verify: %w", meter.ErrLate), messages.NoTime},
		"the question's time is up": {0, late, fmt.Errorf("verify: %w", context.DeadlineExceeded), messages.NoTime},
		"a tenth before it is":      {0, early, context.DeadlineExceeded, messages.NoTime},
		"the searcher's own":        {time.Minute, early, context.DeadlineExceeded, "timeout"},
		"both":                      {time.Minute, late, context.DeadlineExceeded, messages.NoTime},
	} {
		n := &Node{cfg: config.Default()}
		n.cfg.Retriever.Timeout = c.timeout
		ctx, m := meter.With(t.Context(), messages.Usage{})
		m.Until(c.until, meter.Urgency{})
		n.giveUp(ctx, "sparse refinement", c.err)
		if got, want := m.GaveUp(), "sparse refinement: "+c.want; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: noted %q, want %q", name, got, want)
		}
		if at, ok := deadline(ctx); !ok || !at.Equal(c.until) {
			t.Errorf("%s: the search has time until %v", name, at)
		}
		n.giveUp(t.Context(), "nobody listens", c.err)
	}
}
