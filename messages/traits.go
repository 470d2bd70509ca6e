package messages

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
	p.Found, p.Degraded = Finds(m.Passages), m.Degraded
	return p
}

// Pair is the sub-question and what was found for it.
func (m *Align) Pair() Pair {
	p := m.pair(m.Query)
	p.Found, p.Degraded = Finds(m.Passages), m.Degraded
	return p
}

// Pair is the sub-question and what was found for it.
func (m *Generate) Pair() Pair {
	p := m.pair(m.Query)
	p.Found, p.Degraded = m.Found, m.Degraded
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
