package runner

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/tracing"
	"hopstream/stages/work"
)

// counter is the part of a metric that counts an outcome.
type counter interface{ Inc() }

// Metrics are the pipeline's figures. No label ever names a question.
type Metrics struct {
	questions *prometheus.CounterVec
	latency   *prometheus.HistogramVec
	steps     *prometheus.HistogramVec
	hops      *prometheus.HistogramVec
	rerouted  *prometheus.CounterVec
	repaired  prometheus.Counter
	open      prometheus.Gauge
	openLimit prometheus.Gauge
	shared    *prometheus.CounterVec
	documents prometheus.Counter // dead letters of documents
	tenants   *tenantFigures
	stages    map[string]*stageFigures
}

// stageFigures are one stage's figures, looked up once.
type stageFigures struct {
	duration, wait                          prometheus.Observer
	inFlight, concurrency                   prometheus.Gauge
	redeliveries, conflicts, deadLetters    prometheus.Counter
	outOfTime, unusable                     prometheus.Counter // what was given up, by why
	done, retried, dead, expired, cancelled prometheus.Counter
}

// latencyBuckets reach from one no-model hop to the longest deadline there is.
var latencyBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3000}

// NewMetrics returns the figures, registered with reg unless it is nil. Every
// series exists from the start, so that a rate over it is never missing.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histograms := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	counts := []float64{0, 1, 2, 3, 4, 5, 6, 8, 12}
	m := &Metrics{
		questions: counters("hopstream_questions_total", "Questions ended, by class and status. Unanswered is no failure: the documents do not say.", "class", "status"),
		latency:   histograms("hopstream_question_duration_seconds", "Time from stored question to stored answer.", latencyBuckets, "class"),
		steps:     histograms("hopstream_question_steps", "Rounds of retrieval per question.", counts, "class"),
		hops:      histograms("hopstream_question_hops", "Sub-queries per question.", counts, "class"),
		rerouted:  counters("hopstream_questions_rerouted_total", "Questions ended that were not answered as the class they were given.", "how"),
		repaired:  prometheus.NewCounter(prometheus.CounterOpts{Name: "hopstream_plans_repaired_total", Help: "Questions ended whose plan could not be followed and was planned anew."}),
		shared:    counters("hopstream_subqueries_total", "Sub-queries, where questions share work, by what became of them: own and taken_over were worked on, shared took another question's answer over, alone could not wait for one; wait counts each look for one in vain.", "how"),
		open:      prometheus.NewGauge(prometheus.GaugeOpts{Name: "hopstream_open_questions", Help: "Questions accepted and not ended."}),
		openLimit: prometheus.NewGauge(prometheus.GaugeOpts{Name: "hopstream_open_questions_limit", Help: "Questions that may be open at once; further ones are refused."}),
		tenants:   newTenantFigures(),
		stages:    map[string]*stageFigures{},
	}
	duration := histograms("hopstream_stage_duration_seconds", "Time a stage works on a message, storing included.", latencyBuckets, "stage")
	wait := histograms("hopstream_stage_wait_seconds", "Time a message waits for its stage.", latencyBuckets, "stage")
	inFlight := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hopstream_stage_in_flight", Help: "Messages being worked on."}, []string{"stage"})
	concurrency := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hopstream_stage_concurrency", Help: "Messages of a stage that this process works on at once, at most; 0 for a stage that it does not run."}, []string{"stage"})
	msgs := counters("hopstream_stage_messages_total", "Messages settled, by what became of them.", "stage", "outcome")
	redeliveries := counters("hopstream_stage_redeliveries_total", "Messages delivered more than once.", "stage")
	conflicts := counters("hopstream_stage_conflicts_total", "Writes refused because the result was stored before.", "stage")
	dead := counters("hopstream_dead_letters_total", "Messages put into the dead-letter stream. Documents that no index can take in are those of stage index.", "stage")
	gaveUp := counters("hopstream_given_up_total", "What questions went on without, such as a refinement or a model's reply, by why: the question's time ran out, or it failed.", "stage", "reason")
	m.documents = dead.WithLabelValues("index") // as the letter names it
	for _, s := range stages.Names() {
		m.stages[s] = &stageFigures{
			duration: duration.WithLabelValues(s), wait: wait.WithLabelValues(s), inFlight: inFlight.WithLabelValues(s), concurrency: concurrency.WithLabelValues(s),
			redeliveries: redeliveries.WithLabelValues(s), conflicts: conflicts.WithLabelValues(s), deadLetters: dead.WithLabelValues(s),
			done: msgs.WithLabelValues(s, "done"), retried: msgs.WithLabelValues(s, "retried"), dead: msgs.WithLabelValues(s, "dead"),
			expired: msgs.WithLabelValues(s, "expired"), cancelled: msgs.WithLabelValues(s, "cancelled"),
			outOfTime: gaveUp.WithLabelValues(s, "time"), unusable: gaveUp.WithLabelValues(s, "failure"),
		}
	}
	for _, c := range append(messages.Classes(), unrouted) {
		m.latency.WithLabelValues(string(c))
		m.steps.WithLabelValues(string(c))
		m.hops.WithLabelValues(string(c))
		for _, s := range messages.Statuses() {
			m.questions.WithLabelValues(string(c), string(s))
		}
	}
	for _, how := range messages.Reroutes() {
		m.rerouted.WithLabelValues(string(how))
	}
	for _, how := range []work.Verdict{work.Own, work.TakenOver, work.Shared, work.Wait, alone} {
		m.shared.WithLabelValues(string(how))
	}
	if reg != nil {
		reg.MustRegister(m.shared, m.rerouted, m.repaired, m.questions, m.latency, m.steps, m.hops, m.open, m.openLimit, duration, wait, inFlight, concurrency, msgs, redeliveries, conflicts, dead, gaveUp)
		reg.MustRegister(m.tenants.collectors()...)
	}
	return m
}

// worked counts how long a delivery took; j is nil if it could not be read.
func (f *stageFigures) worked(took time.Duration, j *job) {
	var c trace.SpanContext
	if j != nil {
		c = j.span.own
	}
	tracing.Observe(f.duration, took.Seconds(), c)
}

// forgone counts what a delivery did without.
func (f *stageFigures) forgone(gaveUp []string) {
	for i := range gaveUp {
		if messages.OutOfTime(gaveUp[i:i+1]) != "" {
			f.outOfTime.Inc()
		} else {
			f.unusable.Inc()
		}
	}
}

// subQuery counts what became of a sub-query whose work may be shared.
func (m *Metrics) subQuery(how work.Verdict) { m.shared.WithLabelValues(string(how)).Inc() }

// DeadDocument counts a document that was put into the dead-letter stream.
func (m *Metrics) DeadDocument() { m.documents.Inc() }

func (m *Metrics) stage(name string) *stageFigures { return m.stages[name] }

// unrouted stands for the class of a question that ended before it had one.
const unrouted messages.Class = "none"

// question counts an ended question; c is its place in its trace.
func (m *Metrics) question(a *messages.Answer, c trace.SpanContext) {
	class := string(cmp.Or(a.Class, unrouted))
	m.questions.WithLabelValues(class, string(a.Status)).Inc()
	tracing.Observe(m.latency.WithLabelValues(class), a.LatencyMS/1000, c)
	m.steps.WithLabelValues(class).Observe(float64(a.Steps))
	m.hops.WithLabelValues(class).Observe(float64(len(a.Hops)))
	if a.Rerouted != "" {
		m.rerouted.WithLabelValues(string(a.Rerouted)).Inc()
	}
	if a.Repaired {
		m.repaired.Inc()
	}
}
