package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

func TestFull(t *testing.T) {
	t.Parallel()
	o := options()
	o.Streams.MaxOpen = 3
	r := idleRig(t, o)
	var ids []string
	for i := range 3 {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("single q%d", i)}))
	}
	if _, err := r.Client.Submit(t.Context(), &messages.Question{Question: "single more"}); !errors.Is(err, log.ErrFull) {
		t.Fatalf("the fourth: %v", err)
	}
	if a, err := r.Client.Submit(t.Context(), &messages.Question{ID: ids[0], Question: "single q0"}); a != nil || err != nil {
		t.Errorf("an open one again: %v, %v", a, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := r.Client.SubmitWait(short, &messages.Question{Question: "single more"}); !errors.Is(err, log.ErrFull) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for too short: %v", err)
	}
	var more sync.WaitGroup
	for i := range 10 {
		id := fmt.Sprintf("more-%d", i)
		ids = append(ids, id)
		more.Go(func() {
			if _, err := r.Client.SubmitWait(t.Context(), &messages.Question{ID: id, Question: "single more"}); err != nil {
				t.Error(err)
			}
		})
	}
	r.run(t, fullEngine(), o)
	more.Wait()
	allAnswered(t, r.verifyAll(t, ids))
}

func TestQuestionSize(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	worst := "single " + strings.Repeat("<", messages.MaxQuestion-7) // six bytes each in JSON
	if a := r.ask(t, messages.Question{ID: "q", Question: worst}); a.Status != messages.Answered {
		t.Errorf("the longest question: %+v", a.Status)
	}
	if _, err := r.Client.Submit(t.Context(), &messages.Question{Question: worst + "!"}); err == nil || !strings.Contains(err.Error(), "8193 bytes; the limit is 8192") {
		t.Errorf("one byte more: %v", err)
	}
	if _, err := r.Log.JetStream().Publish(t.Context(), "hop.v1.question.huge", bytes.Repeat([]byte("x"), 100<<10)); err == nil {
		t.Error("a raw message of 100 KiB was taken as a question")
	}
	r.verify(t, "q")
}

// lines collects log lines.
type lines struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *lines) contains(s string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.all.String(), s)
}

// TestGate holds that the router takes no question while a stage lags.
func TestGate(t *testing.T) {
	t.Parallel()
	for name, gate := range map[string]runner.GateOptions{"lag": {MaxLag: 5}, "bytes": {MaxBytes: 100}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			r := idleRig(t, o)
			part := o
			part.Table = o.Table[:1]
			w := r.run(t, fullEngine(), part)
			ids := r.submitMixed(t, 40) // ten of each class
			natstest.Eventually(t, "all are routed", func() bool {
				return len(r.subjects(t, messages.KindRetrieve)) == 10 && len(r.subjects(t, messages.KindDecompose)) == 20
			})
			w.stop()

			var logged lines
			gated := o
			gated.Gate, gated.Logger = gate, slog.New(slog.NewTextHandler(&logged, nil))
			gated.Table = o.Table[:1] // it looks at the stages that others run
			w = r.run(t, fullEngine(), gated)
			natstest.Eventually(t, "the router says why it takes none", func() bool { return logged.contains("no questions are taken") })
			ids = append(ids, r.submit(t, messages.Question{ID: "held", Question: "single held"}))
			natstest.Eventually(t, "the held question waits, untouched", func() bool { // the server counts a little later than it stores
				lag, err := r.Log.Lag(t.Context(), o.Table[0])
				return err == nil && lag.Pending == 1 && lag.AckPending == 0
			})
			if name == "bytes" {
				w.stop() // what is stored goes only when it ages out
				r.run(t, fullEngine(), o)
			} else {
				behind := o
				behind.Table = o.Table[1:]
				r.run(t, fullEngine(), behind)
			}
			allAnswered(t, r.verifyAll(t, ids))
		})
	}
}

// TestHeartbeat holds that a handler slower than the ack wait keeps its
// message, also when there are many and other workers idle.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	var calls atomic.Int64
	e.SearchFunc = func(ctx context.Context, _ string, _ int) ([]messages.Passage, error) {
		calls.Add(1)
		select {
		case <-time.After(2500 * time.Millisecond): // the work itself
		case <-ctx.Done():
		}
		return passages(1), nil
	}
	o := options()
	for i := range o.Table {
		o.Table[i].AckWait = time.Second
	}
	o.Metrics = runner.NewMetrics(nil)
	r := newRig(t, e, o)
	r.run(t, e, o)
	var ids []string
	for i := range 20 {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("single q%d", i)}))
	}
	allAnswered(t, r.verifyAll(t, ids))
	if got := o.Metrics.Outcomes("retriever")["redelivered"]; calls.Load() != 20 || got != 0 {
		t.Errorf("%d calls for 20 messages, %v redelivered", calls.Load(), got)
	}
}

// TestOpenQuestionsAreShown holds that the gauge follows the question stream.
func TestOpenQuestionsAreShown(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	e := fullEngine()
	e.SearchFunc = func(context.Context, string, int) ([]messages.Passage, error) {
		<-release
		return passages(1), nil
	}
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	r := newRig(t, e, o)
	id := r.submit(t, messages.Question{Question: "single one"})
	natstest.Eventually(t, "one is open", func() bool { return o.Metrics.Open() == 1 })
	close(release)
	natstest.Eventually(t, "none is open", func() bool { return o.Metrics.Open() == 0 })
	r.verify(t, id)
}
