package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"hopstream/index/searcher"
	"hopstream/stages/tracing"
)

// SearchMetrics are the figures of the searchers that this process asks. A
// searcher's series begin when it is named, all of them together, so that a
// rate over its failures is not missing before the first of them.
type SearchMetrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// searchBuckets reach from an index in memory to a slow engine on the web.
var searchBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// searchOutcomes are what can become of a search.
var searchOutcomes = []string{searcher.OutcomeOK, searcher.OutcomeEmpty, searcher.OutcomeFailed, searcher.OutcomeTimeout}

// NewSearchMetrics returns the figures of the named searchers, registered with
// reg.
func NewSearchMetrics(reg prometheus.Registerer, names ...string) *SearchMetrics {
	m := &SearchMetrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hopstream_searcher_requests_total", Help: "Searches of a searcher, by what became of them.",
		}, []string{"searcher", "outcome"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hopstream_searcher_duration_seconds", Help: "Time a searcher takes, or until it is given up.", Buckets: searchBuckets,
			NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
		}, []string{"searcher"}),
	}
	reg.MustRegister(m.requests, m.duration)
	for _, name := range names {
		m.begin(name)
	}
	return m
}

// begin makes the series of a searcher.
func (m *SearchMetrics) begin(name string) {
	for _, outcome := range searchOutcomes {
		m.requests.WithLabelValues(name, outcome)
	}
	m.duration.WithLabelValues(name)
}

// observe counts a search as it ended.
func (m *SearchMetrics) observe(ctx context.Context, name, outcome string, took time.Duration) {
	m.requests.WithLabelValues(name, outcome).Inc()
	tracing.Observe(m.duration.WithLabelValues(name), took.Seconds(), trace.SpanContextFromContext(ctx))
}
