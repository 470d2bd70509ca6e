package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"hopstream/stages/engine/model"
	"hopstream/stages/tracing"
)

// ModelMetrics are the figures of the models that this process asks. A series
// begins with the first call of its role and model, all of them together, so
// that a rate over one is not missing because the other was never needed.
type ModelMetrics struct {
	calls       *prometheus.CounterVec
	tokens      *prometheus.CounterVec
	duration    *prometheus.HistogramVec
	queue       *prometheus.HistogramVec
	flight      *prometheus.GaugeVec
	slots       *prometheus.GaugeVec
	repairs     *prometheus.CounterVec
	unusables   *prometheus.CounterVec
	fallbacks   *prometheus.CounterVec
	truncations *prometheus.CounterVec
	drops       *prometheus.CounterVec
	cost        *prometheus.CounterVec

	mu     sync.Mutex          // guards prices
	prices map[[2]string]Price // by role and model
}

// Price is what a model's tokens cost, per million, in whatever currency.
type Price struct{ Prompt, Completion float64 }

// of returns the price of so many tokens.
func (p Price) of(prompt, completion int) float64 {
	return (p.Prompt*float64(prompt) + p.Completion*float64(completion)) / 1e6
}

// modelBuckets reach from a cached reply to the longest timeout of a client.
var modelBuckets = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300}

// callOutcomes are what can become of a call.
var callOutcomes = []string{"ok", "shared", "cached", "kept", "failed", "unavailable", "cancelled", "late"}

// NewModelMetrics returns the figures, registered with reg.
func NewModelMetrics(reg prometheus.Registerer) *ModelMetrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		reg.MustRegister(c)
		return c
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"model"})
		reg.MustRegister(g)
		return g
	}
	histogram := func(name, help string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: modelBuckets,
			NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
		}, []string{"role", "model"})
		reg.MustRegister(h)
		return h
	}
	return &ModelMetrics{
		prices:      map[[2]string]Price{},
		cost:        counter("hopstream_model_cost_total", "What models' tokens cost by the configured prices, in the currency of those.", "role", "model"),
		calls:       counter("hopstream_model_calls_total", "Calls of models, by what became of them.", "role", "model", "outcome"),
		tokens:      counter("hopstream_model_tokens_total", "Tokens of models, as their servers count them.", "role", "model", "type"),
		duration:    histogram("hopstream_model_call_duration_seconds", "Time a model's server takes for a call."),
		queue:       histogram("hopstream_model_queue_seconds", "Time a call waits for a free slot of its model."),
		flight:      gauge("hopstream_model_in_flight", "Calls a model's server is working on."),
		slots:       gauge("hopstream_model_concurrency", "Calls of a model that this process makes at once, at most."),
		repairs:     counter("hopstream_model_repairs_total", "Replies that could not be read, and were asked for again.", "role", "model"),
		unusables:   counter("hopstream_model_unusable_total", "Replies that could not be used even when asked for again.", "role", "model"),
		fallbacks:   counter("hopstream_model_fallbacks_total", "Questions that another engine answered instead of the model.", "role"),
		truncations: counter("hopstream_model_truncations_total", "Prompts that a server cut without a word.", "role", "model"),
		drops:       counter("hopstream_model_dropped_passages_total", "Passages left out because they did not fit the context.", "role", "model"),
	}
}

var _ model.Observer = (*ModelMetrics)(nil)

// Call counts a call as it ended.
func (o *ModelMetrics) Call(ctx context.Context, c model.Call) {
	o.call(trace.SpanContextFromContext(ctx), c.Role, c.Model, string(c.Outcome), c.Queue, c.Took, c.PromptTokens, c.CompletionTokens)
}

// InFlight adds delta to the calls that a model's server is working on.
func (o *ModelMetrics) InFlight(name string, delta int) { o.inFlight(name, float64(delta)) }

// Event counts what happened to n replies or passages of a model.
func (o *ModelMetrics) Event(role, name string, e model.Event, n int) {
	switch e {
	case model.Repaired:
		o.repair(role, name)
	case model.Unusable:
		o.unusable(role, name)
	case model.Fallback:
		o.fallback(role)
	case model.Truncated:
		o.truncated(role, name)
	case model.Dropped:
		o.dropped(role, name, n)
	}
}

// Begin makes the series of a role and model.
func (m *ModelMetrics) Begin(role, model string) {
	for _, outcome := range callOutcomes {
		m.calls.WithLabelValues(role, model, outcome)
	}
	for _, c := range []*prometheus.CounterVec{m.repairs, m.unusables, m.truncations, m.drops, m.cost} {
		c.WithLabelValues(role, model)
	}
	m.fallbacks.WithLabelValues(role)
}

// Price tells what the tokens of a model cost in a role from now on.
func (m *ModelMetrics) Price(role, model string, p Price) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.prices[[2]string{role, model}] = p
}

// charge counts what so many tokens cost.
func (m *ModelMetrics) charge(role, model string, prompt, completion int) {
	m.mu.Lock()
	p := m.prices[[2]string{role, model}]
	m.mu.Unlock()
	m.cost.WithLabelValues(role, model).Add(p.of(prompt, completion))
}

// call counts a call as it ended. One that was answered from what is kept, or
// by another call, has no queue, duration or tokens of its own.
func (m *ModelMetrics) call(c trace.SpanContext, role, model, outcome string, queue, took time.Duration, prompt, completion int) {
	m.Begin(role, model)
	m.calls.WithLabelValues(role, model, outcome).Inc()
	if outcome == "shared" || outcome == "cached" || outcome == "kept" {
		return
	}
	m.queue.WithLabelValues(role, model).Observe(queue.Seconds())
	if took > 0 {
		tracing.Observe(m.duration.WithLabelValues(role, model), took.Seconds(), c)
	}
	prompt, completion = max(0, prompt), max(0, completion)
	m.tokens.WithLabelValues(role, model, "prompt").Add(float64(prompt))
	m.tokens.WithLabelValues(role, model, "completion").Add(float64(completion))
	m.charge(role, model, prompt, completion)
}

// inFlight adds delta to the calls that a model works on.
func (m *ModelMetrics) inFlight(model string, delta float64) {
	m.flight.WithLabelValues(model).Add(delta)
}

// Concurrency tells how many calls of a model are made at once.
func (m *ModelMetrics) Concurrency(model string, n int) {
	m.slots.WithLabelValues(model).Set(float64(n))
	m.flight.WithLabelValues(model)
}

// repair counts a reply that was asked for again.
func (m *ModelMetrics) repair(role, model string) { m.repairs.WithLabelValues(role, model).Inc() }

// unusable counts a reply that could not be used even after it was repaired.
func (m *ModelMetrics) unusable(role, model string) { m.unusables.WithLabelValues(role, model).Inc() }

// fallback counts a question that another engine answered.
func (m *ModelMetrics) fallback(role string) { m.fallbacks.WithLabelValues(role).Inc() }

// truncated counts a prompt that the server cut.
func (m *ModelMetrics) truncated(role, model string) {
	m.truncations.WithLabelValues(role, model).Inc()
}

// dropped counts passages that did not fit.
func (m *ModelMetrics) dropped(role, model string, n int) {
	m.drops.WithLabelValues(role, model).Add(float64(max(0, n)))
}
