package runner_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/natstest"
	"hopstream/stages/storage"
)

// TestTrimmedWhileAtWork holds that questions are answered whole while the traces of
// those before them are dropped all the time, and that the trace stays within its
// bound: what an open question needs is never dropped.
func TestTrimmedWhileAtWork(t *testing.T) {
	t.Parallel()
	const bound = 150
	o := options()
	o.Streams.MaxOpen = 20
	o.Storage = storage.Options{Skew: time.Nanosecond, Bounds: storage.Bounds{Trace: storage.Bound{Messages: bound}}}
	e := fullEngine()
	search := e.SearchFunc
	e.SearchFunc = func(ctx context.Context, q string, n int) ([]messages.Passage, error) {
		if strings.HasSuffix(q, "0 c") { // these take longer than the trace of others is kept
			select {
			case <-time.After(5 * time.Second): // the work itself
			case <-ctx.Done():
			}
		}
		return search(ctx, q, n)
	}
	r := newRig(t, e, o)
	r.run(t, e, o) // so that a round's sub-answers are not all in one process
	const questions = 80
	var ids []string
	for i := range questions {
		id := fmt.Sprintf("q%d", i)
		ids = append(ids, id)
		if _, err := r.Client.SubmitWait(t.Context(), &messages.Question{ID: id, Question: []string{"compound", "single"}[i%2] + " " + id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range ids {
		if a := r.answer(t, id); a.Status != messages.Answered {
			t.Errorf("%s: %s: %s", id, a.Status, a.Error)
		}
	}
	natstest.Eventually(t, "the trace to be within its bound", func() bool {
		var left uint64
		for _, k := range messages.Kinds() {
			if k.Inner() {
				st, err := r.Log.StreamState(t.Context(), k)
				if err != nil {
					t.Fatal(err)
				}
				left += st.Msgs
			}
		}
		return left > 0 && left <= bound
	})
}
