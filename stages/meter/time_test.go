package meter_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
	"hopstream/stages/meter"
)

func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, m := meter.With(t.Context(), messages.Usage{})
		if _, ok := m.Deadline(); ok || meter.Late(ctx) || meter.Late(context.Background()) {
			t.Error("a delivery without a bound has one")
		}
		now := time.Now()
		u := meter.Urgency{Priority: messages.Bulk, Remaining: 3, Deadline: now.Add(time.Minute)}
		m.Until(now.Add(10*time.Second), u)
		if at, ok := m.Deadline(); !ok || !at.Equal(now.Add(10*time.Second)) || meter.Late(ctx) || m.Urgency() != u {
			t.Errorf("%v, %+v", at, m.Urgency())
		}
		for _, c := range []struct{ after, brief time.Duration }{{0, 30 * time.Second}, {40 * time.Second, 50 * time.Second}} {
			time.Sleep(c.after)
			if at, ok := m.Brief(); !ok || !at.Equal(now.Add(c.brief)) {
				t.Errorf("after %v what is brief has until %v", c.after, at.Sub(now))
			}
		}
		if !meter.Late(ctx) {
			t.Error("it is not late")
		}
	})
}

func TestGiveUp(t *testing.T) {
	t.Parallel()
	_, m := meter.With(t.Context(), messages.Usage{})
	m.GiveUp("sparse refinement", fmt.Errorf("verify: %w", meter.ErrLate))
	m.GiveUp("sparse refinement", meter.ErrLate)
	m.GiveUp("relevance", errors.New("no JSON"))
	got := m.GaveUp()
	if want := []string{"sparse refinement: " + messages.NoTime, "relevance: no JSON"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range 2 * messages.MaxDegraded {
		m.GiveUp(fmt.Sprint(i), meter.ErrLate)
	}
	if n := len(m.GaveUp()); n != messages.MaxDegraded {
		t.Errorf("%d notes", n)
	}
	var none *meter.Meter
	none.GiveUp("x", meter.ErrLate)
	if _, brief := none.Brief(); brief || none.GaveUp() != nil || none.Urgency() != (meter.Urgency{}) {
		t.Error("no meter bounds")
	}
}

// TestRoundLeft holds that another round is begun while at least half of what a
// round took on average is left before the final answer's quarter.
func TestRoundLeft(t *testing.T) {
	t.Parallel()
	asked := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	h := &messages.Head{Round: 3, Asked: asked, Deadline: asked.Add(400 * time.Second)}
	if at := meter.FinalFrom(h).Sub(asked); at != 300*time.Second {
		t.Errorf("the final answer's part begins after %v", at)
	}
	for after, want := range map[time.Duration]bool{
		0: true, 90 * time.Second: true, 257 * time.Second: true, 258 * time.Second: false, 350 * time.Second: false,
	} {
		if got := meter.RoundLeft(h, asked.Add(after)); got != want {
			t.Errorf("three rounds took %v: another one is %v", after, got)
		}
	}
	if !meter.RoundLeft(&messages.Head{}, asked) {
		t.Error("without a deadline there is no round left")
	}
}
