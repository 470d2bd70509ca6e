package messages

import (
	"cmp"
	"slices"
)

// What the runner must know of a message beside its head is said by these
// small interfaces, so that it needs no list of kinds.

// Decision is an output from which others follow. It is stored before them,
// and they are derived from what is stored: a second delivery then changes
// nothing.
type Decision interface {
	Carrier
	// Follow returns what follows, the one of branch n at n-1.
	Follow() []Message
}

// SubQuery is a message about one sub-query of a round that has no sub-answer
// yet.
type SubQuery interface {
	Carrier
	// Pair is what is known so far: the sub-question, and what the search for
	// it came to.
	Pair() Pair
}

// Output is a message that a stage writes.
type Output interface {
	Message
	// Charge adds what the delivery that wrote the message used of models, and
	// names the delivery's span as a W3C traceparent.
	Charge(used Usage, trace string)
	// Forgo adds what the delivery did without, each as "what: why".
	Forgo(gaveUp []string)
}

// Follow returns the plan's sub-queries.
func (m *Plan) Follow() []Message { return m.Retrieves() }

func (h *Head) pair(query string) Pair {
	return Pair{Round: h.Round, Branch: h.Branch, Question: query, Part: h.Part}
}

// Pair is the sub-question.
func (m *Retrieve) Pair() Pair { return m.pair(m.Query) }

// Pair is the sub-question and what was found for it.
func (m *Filter) Pair() Pair {
	p := m.pair(m.Query)
	p.Found, p.Degraded, p.Queries = Finds(m.Passages), m.Degraded, m.Queries
	return p
}

// Pair is the sub-question and what was found for it.
func (m *Align) Pair() Pair {
	p := m.pair(m.Query)
	p.Found, p.Degraded, p.Queries = Finds(m.Passages), m.Degraded, m.Queries
	return p
}

// Pair is the sub-question and what was found for it.
func (m *Generate) Pair() Pair {
	p := m.pair(m.Query)
	p.Found, p.Degraded, p.Queries = m.Found, m.Degraded, m.Queries
	return p
}

// Charge adds to the question's usage.
func (h *Head) Charge(used Usage, trace string) {
	h.Usage, h.Trace = h.Usage.Add(used), trace
}

// Charge adds to the question's usage, from which a round of one counts its own.
func (m *Retrieve) Charge(used Usage, trace string) {
	m.Head.Charge(used, trace)
	if m.Branch > 0 && m.Branches == 1 {
		m.Base = m.Usage
	}
}

// Charge adds to the answer's usage.
func (a *Answer) Charge(used Usage, trace string) {
	a.Usage, a.Trace = a.Usage.Add(used), trace
}

// Forgo notes what was given up for the question as a whole.
func (h *Head) Forgo(gaveUp []string) { h.GaveUp = forgo(h.GaveUp, gaveUp) }

// Forgo notes what was given up for the sub-query.
func (m *Filter) Forgo(gaveUp []string) { m.Degraded = forgo(m.Degraded, gaveUp) }

// Forgo notes what was given up for the sub-query.
func (m *Align) Forgo(gaveUp []string) { m.Degraded = forgo(m.Degraded, gaveUp) }

// Forgo notes what was given up for the sub-query, or for the whole question.
func (m *Generate) Forgo(gaveUp []string) {
	if m.Branch == 0 {
		m.Head.Forgo(gaveUp)
		return
	}
	m.Degraded = forgo(m.Degraded, gaveUp)
}

// Forgo notes what was given up for the sub-query.
func (m *Subanswer) Forgo(gaveUp []string) { m.Pair.Degraded = forgo(m.Pair.Degraded, gaveUp) }

// Forgo notes what was given up. An answer that did without something for want
// of time is partial.
func (a *Answer) Forgo(gaveUp []string) {
	a.GaveUp = forgo(a.GaveUp, gaveUp)
	a.late(gaveUp)
}

// late makes an answer partial that did without something for want of time, also
// one that found nothing: nobody knows then what the documents say.
func (a *Answer) late(gaveUp []string) {
	g := OutOfTime(gaveUp)
	switch {
	case g == "":
	case a.Status == Answered:
		a.Status, a.Error = Partial, cmp.Or(a.Error, g)
	case a.Status == Unanswered:
		a.Status, a.Error = Partial, a.Error+" ("+g+")"
	}
}

// forgo returns both lists as one, each entry once, bounded.
func forgo(all, more []string) []string {
	for _, g := range more {
		if len(all) < MaxDegraded && !slices.Contains(all, g) {
			all = append(slices.Clip(all), g)
		}
	}
	return all
}
