package runner_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// TestEveryStatusIsCounted ends one question in each way, with two workers
// that share their figures.
func TestEveryStatusIsCounted(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	e := fullEngine()
	held := make(chan struct{}, 8)
	e.SearchFunc = func(ctx context.Context, q string, _ int) ([]messages.Passage, error) {
		switch q {
		case "compound partial b", "single failed":
			return nil, fault.Permanentf("broken")
		case "single expired", "single cancelled":
			held <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return passages(1), nil
	}
	o := options()
	o.Metrics = runner.NewMetrics(reg)
	if n, err := testutil.GatherAndCount(reg, "hopstream_questions_total"); err != nil || n != 30 {
		t.Errorf("%d series from the start (%v), want one per class, or none, and status", n, err)
	}
	r := newRig(t, e, o)
	r.run(t, e, o)
	r.ask(t, messages.Question{ID: "a", Question: "single answered"})
	r.ask(t, messages.Question{ID: "p", Question: "compound partial"})
	r.ask(t, messages.Question{ID: "f", Question: "single failed"})
	r.submit(t, messages.Question{ID: "c", Question: "single cancelled"})
	<-held
	if _, err := r.Client.Cancel(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	r.ask(t, messages.Question{ID: "e", Question: "single expired", Deadline: messages.Deadline{After: 300 * time.Millisecond}})
	r.verify(t, "a", "p", "f", "c", "e")
	for _, want := range [][2]string{{"single", "answered"}, {"compound", "partial"}, {"single", "failed"}, {"none", "cancelled"}} {
		natstest.Eventually(t, want[1]+" is counted", func() bool { return o.Metrics.Questions(messages.Class(want[0]), messages.Status(want[1])) == 1 })
	}
	natstest.Eventually(t, "expired is counted", func() bool {
		return o.Metrics.Questions("single", "expired")+o.Metrics.Questions("none", "expired") == 1
	})
}

// TestConcurrencyIsTold holds that a process tells how many messages it works on
// at once, of the stages that it runs: what is in flight is measured by it.
func TestConcurrencyIsTold(t *testing.T) {
	t.Parallel()
	e, o := fullEngine(), options()
	o.Metrics = runner.NewMetrics(nil)
	for _, row := range o.Table {
		if got := o.Metrics.Concurrency(row.Name); got != 0 {
			t.Errorf("%s: %v before it runs", row.Name, got)
		}
	}
	o.Table = o.Table[:2]
	newRig(t, e, o).run(t, e, o)
	for _, row := range o.Table {
		natstest.Eventually(t, row.Name+" tells", func() bool { return o.Metrics.Concurrency(row.Name) == float64(row.Concurrency) })
	}
	if got := o.Metrics.Concurrency("judge"); got != 0 {
		t.Errorf("judge, which does not run here: %v", got)
	}
}
