package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// within returns a context whose delivery may take d, of a question that has as
// long again.
func within(t *testing.T, d time.Duration) (context.Context, *meter.Meter) {
	ctx, m := meter.With(t.Context(), messages.Usage{ModelCalls: 100, PromptTokens: 10_000})
	now := time.Now()
	m.Until(now.Add(d), meter.Urgency{Deadline: now.Add(2 * d)})
	return ctx, m
}

// taking is a server whose replies take so long.
func taking(d func() time.Duration) *Scripted {
	return &Scripted{ChatFunc: func(ctx context.Context, _ *Chat) (*Reply, error) {
		select {
		case <-time.After(d()):
			return &Reply{Text: "{}", PromptTokens: 60, CompletionTokens: 2}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

func always(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// TestCallEndsWithItsTime holds that a reply is not waited for beyond the
// delivery's time, that the call counts then, and that none is begun afterwards.
func TestCallEndsWithItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := watching()
		c := taking(always(time.Minute))
		m := New(c, Options{Name: "m", Observe: w})
		ctx, used := within(t, 10*time.Second)
		start := time.Now()
		_, err := m.Chat(ctx, "r", chat("a"))
		if !errors.Is(err, meter.ErrLate) || time.Since(start) != 10*time.Second || used.Used().ModelCalls != 1 {
			t.Errorf("after %v: %v, %+v used", time.Since(start), err, used.Used())
		}
		if _, err := m.Chat(ctx, "r", chat("b")); !errors.Is(err, meter.ErrLate) || len(c.Asked()) != 1 || used.Used().ModelCalls != 1 {
			t.Errorf("%v after %d requests, %+v used", err, len(c.Asked()), used.Used())
		}
		m.Close()
		if w.outcome(Late) != 2 {
			t.Errorf("outcomes %v", w.outcomes)
		}
	})
}

// TestNoCallThatCanHardlyEnd holds that where less than half of a usual reply's
// time is left, the server is not asked, and that whoever waits for a slot leaves
// then.
func TestNoCallThatCanHardlyEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := taking(always(8 * time.Second))
		m := New(c, Options{Name: "m", Slots: NewSlots(1)})
		if _, err := m.Chat(t.Context(), "r", chat("usual")); err != nil {
			t.Fatal(err)
		}
		ctx, used := within(t, 3*time.Second)
		start := time.Now()
		if _, err := m.Chat(ctx, "r", chat("a")); !errors.Is(err, meter.ErrLate) || time.Since(start) != 0 || !used.Used().IsZero() {
			t.Errorf("after %v: %v, %+v used", time.Since(start), err, used.Used())
		}
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = m.Chat(t.Context(), "r", chat("holds the slot")) })
		synctest.Wait()
		ctx, used = within(t, 7*time.Second)
		_, err := m.Chat(ctx, "r", chat("b"))
		if waited := time.Since(start); !errors.Is(err, meter.ErrLate) || waited >= 7*time.Second || waited <= 2*time.Second || !used.Used().IsZero() {
			t.Errorf("waited %v for a slot: %v, %+v used", waited, err, used.Used())
		}
		wg.Wait()
		if n := len(c.Asked()); n != 2 {
			t.Errorf("%d requests", n)
		}
	})
}

// TestModelThatWasSlowOnce holds that a model which was slow once, as while it
// was loaded, is asked again by questions that have less time than it took.
func TestModelThatWasSlowOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := time.Minute
		m := New(taking(func() time.Duration { return slow }), Options{Name: "m"})
		if _, err := m.Chat(t.Context(), "r", chat("loads")); err != nil {
			t.Fatal(err)
		}
		slow = time.Second
		for i := range 50 {
			ctx, _ := within(t, 10*time.Second)
			if _, err := m.Chat(ctx, "r", chat(fmt.Sprint(i))); err == nil {
				return
			}
		}
		t.Error("it is never asked again")
	})
}

// TestWhoHasMoreTimeWaitsOn holds that of those who wait for one reply each waits
// as long as its own time allows, whoever asked first.
func TestWhoHasMoreTimeWaitsOn(t *testing.T) {
	t.Parallel()
	for name, times := range map[string][2]time.Duration{
		"the first has less": {5 * time.Second, time.Minute},
		"the first has more": {time.Minute, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := taking(always(20 * time.Second))
				m := New(c, Options{Name: "m"})
				start := time.Now()
				var wg sync.WaitGroup
				for _, d := range times {
					wg.Go(func() {
						ctx, _ := within(t, d)
						_, err := m.Chat(ctx, "r", chat("same"))
						if took := time.Since(start); d == time.Minute && (err != nil || took != 20*time.Second) || d < time.Minute && (!errors.Is(err, meter.ErrLate) || took != d) {
							t.Errorf("with %v: after %v: %v", d, took, err)
						}
					})
					synctest.Wait()
				}
				wg.Wait()
				if n := len(c.Asked()); n != 1 {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

// TestSharedCallIsAsUrgentAsItsMostUrgent holds that a request which a batch made
// and somebody in a hurry waits for too goes before the rest of the batch.
func TestSharedCallIsAsUrgentAsItsMostUrgent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := taking(always(time.Second))
		m := New(c, Options{Name: "m", Slots: NewSlots(1)})
		var wg sync.WaitGroup
		ask := func(p messages.Priority, text string) {
			wg.Go(func() {
				ctx, budget := within(t, time.Minute)
				until, _ := budget.Deadline()
				budget.Until(until, meter.Urgency{Priority: p, Deadline: budget.Urgency().Deadline})
				if _, err := m.Chat(ctx, "r", chat(text)); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		for _, text := range []string{"at work", "second", "third", "shared"} {
			ask(messages.Bulk, text)
		}
		ask(messages.Interactive, "shared")
		wg.Wait()
		var order []string
		for _, r := range c.Asked() {
			order = append(order, r.Messages[1].Text)
		}
		if want := []string{"at work", "shared", "second", "third"}; !slices.Equal(order, want) {
			t.Errorf("asked %q, want %q", order, want)
		}
	})
}

// TestVectorsWhenCallsAreOver holds that vectors may still be had when the time
// for calls is over, and are waited for no longer than half of what is left then.
func TestVectorsWhenCallsAreOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hangs := false
		m := New(&Scripted{EmbedFunc: func(ctx context.Context, texts []string) (*Vectors, error) {
			if hangs {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return &Vectors{Vectors: make([][]float32, len(texts))}, nil
		}}, Options{Name: "m"})
		ctx, budget := within(t, 10*time.Second)
		budget.Until(time.Now(), budget.Urgency())
		if _, err := m.Embed(ctx, "r", []string{"a"}); err != nil {
			t.Error(err)
		}
		hangs = true
		start := time.Now()
		if _, err := m.Embed(ctx, "r", []string{"b"}); !errors.Is(err, meter.ErrLate) || time.Since(start) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		m.Close()
	})
}
