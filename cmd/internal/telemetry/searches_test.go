package telemetry

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/index/searcher"
)

// busySearchers returns the figures of two searchers, one of them asked.
func busySearchers() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	m := NewSearchMetrics(reg, "bm25", "web")
	o := searcher.SetOptions{Observe: (&Searches{Metrics: m}).Observe}
	o.Observe(context.Background(), "web", searcher.OutcomeOK, 700*time.Millisecond)
	o.Observe(context.Background(), "web", searcher.OutcomeOK, 800*time.Millisecond)
	o.Observe(context.Background(), "web", searcher.OutcomeTimeout, 5*time.Second)
	return reg
}

func TestSearchMetrics(t *testing.T) {
	t.Parallel()
	reg := busySearchers()
	if problems, err := testutil.GatherAndLint(reg); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	const want = `
# HELP hopstream_searcher_requests_total Searches of a searcher, by what became of them.
# TYPE hopstream_searcher_requests_total counter
hopstream_searcher_requests_total{outcome="empty",searcher="bm25"} 0
hopstream_searcher_requests_total{outcome="empty",searcher="web"} 0
hopstream_searcher_requests_total{outcome="failed",searcher="bm25"} 0
hopstream_searcher_requests_total{outcome="failed",searcher="web"} 0
hopstream_searcher_requests_total{outcome="ok",searcher="bm25"} 0
hopstream_searcher_requests_total{outcome="ok",searcher="web"} 2
hopstream_searcher_requests_total{outcome="timeout",searcher="bm25"} 0
hopstream_searcher_requests_total{outcome="timeout",searcher="web"} 1
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "hopstream_searcher_requests_total"); err != nil {
		t.Error(err)
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "hopstream_searcher_duration_seconds" {
			continue
		}
		h := f.GetMetric()[1].GetHistogram()
		if h.GetSampleCount() != 3 || len(h.GetBucket()) != len(searchBuckets) || h.GetSchema() <= 0 || len(h.GetPositiveSpan()) == 0 {
			t.Errorf("%v", h)
		}
	}
}

// TestSearchMetricsAreLookedAt holds that dashboard and alerts ask for the
// searchers' figures by the names they have, and for each of them.
func TestSearchMetricsAreLookedAt(t *testing.T) {
	t.Parallel()
	lookedAt(t, busySearchers(), "hopstream_searcher_")
}
