package messages

import "time"

// Policy has the defaults and limits that whoever accepts questions gives them.
type Policy struct {
	Deadline    time.Duration // default span; 0 means 5 minutes
	MaxDeadline time.Duration // longest span, below the trace retention; 0 means 50 minutes
	Budget      Budget        // zero fields take DefaultBudget's
}

// WithDefaults returns p with its zero fields filled, and a default span no
// longer than the longest.
func (p Policy) WithDefaults() Policy {
	if p.MaxDeadline <= 0 {
		p.MaxDeadline = 50 * time.Minute
	}
	if p.Deadline <= 0 {
		p.Deadline = 5 * time.Minute
	}
	p.Deadline = min(p.Deadline, p.MaxDeadline)
	p.Budget = p.Budget.Or(DefaultBudget())
	return p
}

// Accept begins the question that was stored under id at the given time: it
// sets the head that all messages of the question start from. The deadline is
// the question's own or p's default, at most p.MaxDeadline after stored; trace
// is a W3C traceparent, or empty.
func (q *Question) Accept(id string, stored time.Time, p Policy, trace string) {
	p = p.WithDefaults()
	q.ID = id
	deadline := q.Deadline.From(stored, p.Deadline)
	if last := stored.Add(p.MaxDeadline); deadline.After(last) {
		deadline = last
	}
	q.head = Head{
		ID: id, Question: q.Question, Asked: stored, Deadline: deadline,
		Budget: q.Budget.Or(p.Budget), Trace: trace, Priority: q.Priority,
		Class: q.Class, PlanState: PlanState{Strategy: q.Strategy},
	}
}

// Meta returns the head that Accept sets; before, it is empty.
func (q *Question) Meta() *Head { return &q.head }
