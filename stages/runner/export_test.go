package runner

import (
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/messages"
	"hopstream/stages/work"
)

// Questions returns how many questions of a class ended in a status.
func (m *Metrics) Questions(c messages.Class, s messages.Status) float64 {
	return testutil.ToFloat64(m.questions.WithLabelValues(string(c), string(s)))
}

// Outcomes returns a stage's figures: what became of its messages, and how
// often they came again, were refused as stored, or died.
func (m *Metrics) Outcomes(stage string) map[string]float64 {
	f := m.stages[stage]
	return map[string]float64{
		"done": testutil.ToFloat64(f.done), "retried": testutil.ToFloat64(f.retried), "dead": testutil.ToFloat64(f.dead),
		"expired": testutil.ToFloat64(f.expired), "cancelled": testutil.ToFloat64(f.cancelled),
		"redelivered": testutil.ToFloat64(f.redeliveries), "conflicts": testutil.ToFloat64(f.conflicts), "letters": testutil.ToFloat64(f.deadLetters),
	}
}

// SubQueries returns how many sub-queries were shared, waited, and so on.
func (m *Metrics) SubQueries(how work.Verdict) float64 {
	return testutil.ToFloat64(m.shared.WithLabelValues(string(how)))
}

// Alone is the verdict on a sub-query that cannot wait.
const Alone = alone

// LookAgain is how long a sub-query is left alone that waits for another's.
var LookAgain = lookAgain

// GivenUp returns how often a stage did without something for want of time, and
// for a failure.
func (m *Metrics) GivenUp(stage string) (late, failed float64) {
	f := m.stages[stage]
	return testutil.ToFloat64(f.outOfTime), testutil.ToFloat64(f.unusable)
}

// Open returns how many questions the sentinel saw open.
func (m *Metrics) Open() float64 { return testutil.ToFloat64(m.open) }

// AwayDelay is how long a message is left alone whose service is away.
var AwayDelay = awayDelay

// Rerouted returns how many questions were, in the given way.
func (m *Metrics) Rerouted(how messages.Reroute) float64 {
	return testutil.ToFloat64(m.rerouted.WithLabelValues(string(how)))
}

// Repaired returns how many questions' plans were planned anew.
func (m *Metrics) Repaired() float64 { return testutil.ToFloat64(m.repaired) }

// Concurrency is how many messages of a stage are worked on at once.
func (m *Metrics) Concurrency(stage string) float64 {
	return testutil.ToFloat64(m.stage(stage).concurrency)
}
