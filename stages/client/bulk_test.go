package client_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// serve answers every open question until the test ends, and returns the
// largest number of them it saw open at once.
func (r *rig) serve(t *testing.T) (most func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			open := map[string]string{}
			if _, err := r.Log.OpenQuestions(ctx, messages.Policy{}, 0, func(o log.Open) error {
				open[o.Key.ID] = o.Question.Question
				return nil
			}); err != nil {
				continue
			}
			seen.Store(max(seen.Load(), int64(len(open))))
			for id, q := range open {
				if err := r.Log.End(context.Background(), answerOf(id, q)); err != nil && !errors.Is(err, log.ErrStored) {
					t.Error(err)
				}
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return func() int { return int(seen.Load()) }
}

// each returns the questions one by one.
func each(questions []*messages.Question) func() (*messages.Question, bool) {
	return func() (*messages.Question, bool) {
		if len(questions) == 0 {
			return nil, false
		}
		q := questions[0]
		questions = questions[1:]
		return q, true
	}
}

// TestRun asks new, known, repeated, clashing and invalid questions, more than
// may be open at once, and gets one word on each.
func TestRun(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{MaxOpen: 20})
	r.answer(t, "known", "known?")
	r.answer(t, "taken", "taken?")
	most := r.serve(t)
	questions := []*messages.Question{
		{ID: "known", Question: "known?"}, {ID: "taken", Question: "another?"}, {ID: "a.b", Question: "bad ID"}, {ID: "blank", Question: " "},
		{ID: "twice", Question: "twice?"}, {ID: "twice", Question: "twice?"}, {ID: "twice", Question: "thrice?"}, {Question: "no ID"},
	}
	for i := range 400 {
		questions = append(questions, &messages.Question{ID: fmt.Sprintf("q%d", i), Question: fmt.Sprintf("q%d?", i)})
	}
	var mu sync.Mutex // the callbacks are never called two at once; this is for the race detector's eyes only
	answers, rejected := map[string]*messages.Answer{}, map[string]error{}
	err := r.Client.Run(t.Context(), client.Bulk{
		Window: 50, Recheck: 50 * time.Millisecond,
		Answer: func(a *messages.Answer) {
			if !mu.TryLock() {
				t.Error("two callbacks at once")
				return
			}
			defer mu.Unlock()
			if answers[a.ID] != nil {
				t.Errorf("%s was answered twice", a.ID)
			}
			answers[a.ID] = a
		},
		Reject: func(q *messages.Question, err error) {
			if !mu.TryLock() {
				t.Error("two callbacks at once")
				return
			}
			defer mu.Unlock()
			rejected[q.ID+q.Question] = err
		},
	}, each(questions))
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) != 403 || answers["known"] == nil || answers["twice"].Answer != "<twice?>" || answers["q399"].Answer != "<q399?>" {
		t.Errorf("%d answers", len(answers))
	}
	if len(rejected) != 4 || !errors.Is(rejected["takenanother?"], client.ErrClash) || !errors.Is(rejected["twicethrice?"], client.ErrClash) {
		t.Errorf("rejected %v", rejected)
	}
	if n := most(); n > 20 {
		t.Errorf("%d were open at once", n)
	}
}

// TestRunStops holds that Run comes back when its context ends.
func TestRunStops(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- r.Client.Run(ctx, client.Bulk{Answer: func(*messages.Answer) {}, Reject: func(*messages.Question, error) {}},
			each([]*messages.Question{{ID: "q", Question: "x"}}))
	}()
	r.opened(t, "q")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// TestRunFindsOldAnswers holds that an answer stored before the question was,
// which no follower hears of, is found by looking.
func TestRunFindsOldAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	var answered atomic.Int64
	asked := false
	err := r.Client.Run(t.Context(), client.Bulk{
		Recheck: 20 * time.Millisecond,
		Answer:  func(*messages.Answer) { answered.Add(1) },
		Reject:  func(_ *messages.Question, err error) { t.Error(err) },
	}, func() (*messages.Question, bool) {
		if asked {
			return nil, false
		}
		asked = true
		r.answer(t, "q", "x") // before it is stored, and before Run looks
		return &messages.Question{ID: "q", Question: "x"}, true
	})
	if err != nil || answered.Load() != 1 {
		t.Errorf("%d answers, %v", answered.Load(), err)
	}
}
