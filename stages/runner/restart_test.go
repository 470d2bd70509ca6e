package runner_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// slow delays every search a little; it does not leave when its context ends.
func slow(e *scripted.Engine) *scripted.Engine {
	search := e.SearchFunc
	e.SearchFunc = func(ctx context.Context, q string, k int) ([]messages.Passage, error) {
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // the work itself
		return search(ctx, q, k)
	}
	return e
}

func (r *rig) submitMixed(t testing.TB, n int) (ids []string) {
	t.Helper()
	for i := range n {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("%s q%d", messages.Classes()[i%4], i)}))
	}
	return ids
}

func (r *rig) answered(t testing.TB, n int) {
	t.Helper()
	natstest.Eventually(t, fmt.Sprintf("%d are answered", n), func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindAnswer)
		return err == nil && st.Msgs >= uint64(n)
	})
}

func allAnswered(t testing.TB, answers map[string]*messages.Answer) {
	t.Helper()
	for id, a := range answers {
		if a.Status != messages.Answered {
			t.Errorf("%s: %s, %q", id, a.Status, a.Error)
		}
	}
}

// TestCleanShutdown stops the only worker in the middle, and starts another.
func TestCleanShutdown(t *testing.T) {
	t.Parallel()
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	r := idleRig(t, o)
	ids := r.submitMixed(t, 300)
	w := r.run(t, slow(fullEngine()), o)
	r.answered(t, 60)
	w.stop()
	// What was in hand is finished or handed back; the last acks may be on
	// their way through the server.
	natstest.Eventually(t, "nothing is left unsettled", func() bool {
		left := 0
		for _, s := range o.Table {
			if s.Input == messages.KindQuestion {
				continue // the server counts those that were read ahead and handed back until they come again
			}
			lag, err := r.Log.Lag(t.Context(), s)
			if err != nil {
				return false
			}
			left += lag.AckPending
		}
		return left == 0
	})
	r.run(t, slow(fullEngine()), o)
	allAnswered(t, r.verifyAll(t, ids))
	if n := len(r.letters(t)); n > 0 {
		t.Errorf("%d dead letters", n)
	}
}

// TestShutdownHandsBack stops a worker whose handlers do not end within its
// grace, again and again: more often than a message may fail.
func TestShutdownHandsBack(t *testing.T) {
	t.Parallel()
	o := options()
	o.Grace = time.Millisecond
	r := idleRig(t, o)
	var hold atomic.Bool
	hold.Store(true)
	begun := make(chan struct{}, 100)
	e := fullEngine()
	e.SearchFunc = func(ctx context.Context, _ string, _ int) ([]messages.Passage, error) {
		if hold.Load() {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return passages(1), nil
	}
	r.submit(t, messages.Question{ID: "q", Question: "single one"})
	for range o.Table[0].Attempts + 2 {
		w := r.run(t, e, o)
		<-begun
		w.stop()
	}
	hold.Store(false)
	r.run(t, e, o)
	if a := r.answer(t, "q"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "q")
}

// TestServerRestart stops the server in the middle and starts it again on its
// store and port; the worker, the client and the follower go on.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	o := options()
	r := newRig(t, slow(fullEngine()), o)
	ids := r.submitMixed(t, 100)
	r.answered(t, 20)
	r.Restart(t)
	natstest.Eventually(t, "a question is taken again", func() bool {
		_, err := r.Client.Submit(t.Context(), &messages.Question{ID: "first", Question: "single first"})
		return err == nil
	})
	ids = append(ids, r.submitMixed(t, 20)...)
	if a := r.ask(t, messages.Question{ID: "last", Question: "compound last"}); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	allAnswered(t, r.verifyAll(t, append(ids, "first", "last")))
}

// TestServerLosesSight restarts the server below a worker that goes on, with
// one stream or consumer out of its sight: nobody else makes it again.
func TestServerLosesSight(t *testing.T) {
	t.Parallel()
	names := messages.DefaultNames()
	for _, lost := range [][]string{
		{names.Stream(messages.KindQuestion)}, {names.Stream(messages.KindAnswer)}, {names.Stream(messages.KindPlan)},
		{names.Stream(messages.KindFilter), "filter"},
	} {
		t.Run(strings.Join(lost, " "), func(t *testing.T) {
			t.Parallel()
			o := options()
			r := newRig(t, slow(fullEngine()), o)
			ids := r.submitMixed(t, 40)
			r.answered(t, 10)
			r.Restart(t, func(dir string) { natstest.LoseSum(t, dir, lost[0], lost[1:]...) })
			natstest.Eventually(t, "a question is taken again", func() bool {
				_, err := r.Client.Submit(t.Context(), &messages.Question{ID: "first", Question: "single first"})
				return err == nil
			})
			allAnswered(t, r.verifyAll(t, append(ids, "first")))
			natstest.Eventually(t, "its checksum is there again", func() bool {
				_, err := os.Stat(filepath.Join(natstest.Kept(filepath.Dir(r.Server.StoreDir()), lost[0], lost[1:]...), "meta.sum"))
				return err == nil
			})
		})
	}
}

// TestBackWithoutStreams takes away what no worker would miss, and lets the
// worker's connection come back.
func TestBackWithoutStreams(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	r.ask(t, messages.Question{Question: "single one"})
	for _, k := range []messages.Kind{messages.KindAnswer, messages.KindDead} {
		if err := r.Log.JetStream().DeleteStream(t.Context(), r.Log.Names().Stream(k)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Log.Put(t.Context(), &messages.Question{ID: "q", Question: "single two"}); err != nil {
		t.Fatal(err)
	}
	if err := r.worker.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	if a := r.answer(t, "q"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	if _, err := r.Log.JetStream().Stream(t.Context(), r.Log.Names().Stream(messages.KindDead)); err != nil {
		t.Errorf("dead letters: %v", err)
	}
}

// TestSeveralWorkers shares the consumers among workers, each with some of
// the stages, or all.
func TestSeveralWorkers(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	var by [4]atomic.Int64
	for i := range by {
		e := slow(fullEngine())
		split := e.SearchFunc
		e.SearchFunc = func(ctx context.Context, q string, k int) ([]messages.Passage, error) {
			by[i].Add(1)
			return split(ctx, q, k)
		}
		part := o
		if i == 3 {
			part.Table = o.Table[2:4]
		}
		r.run(t, e, part)
	}
	ids := r.submitMixed(t, 200)
	allAnswered(t, r.verifyAll(t, ids))
	for i := range by {
		if by[i].Load() == 0 {
			t.Errorf("worker %d had nothing to do", i)
		}
	}
}
