package tracing

import (
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
)

// ExemplarLabel names the trace in a histogram's exemplar.
const ExemplarLabel = "trace_id"

// Observe observes v, with the trace of c as an exemplar where it is sampled, and
// so can be looked up.
func Observe(o prometheus.Observer, v float64, c trace.SpanContext) {
	if e, ok := o.(prometheus.ExemplarObserver); ok && c.IsSampled() {
		e.ObserveWithExemplar(v, prometheus.Labels{ExemplarLabel: c.TraceID().String()})
		return
	}
	o.Observe(v)
}
