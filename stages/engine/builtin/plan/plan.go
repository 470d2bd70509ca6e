package plan

import (
	"strings"

	"hopstream/stages/engine/builtin/linear"
)

// Planner takes questions apart by the weights of what they nest. It is safe for
// concurrent use.
type Planner struct{ nests *linear.Model }

// New returns a planner with weights that Lessons were fitted to.
func New(nests *linear.Model) *Planner { return &Planner{nests} }

// maxSteps bounds a plan: one round each, and one is left for asking the
// question as it stands.
const maxSteps = 4

// step is one question of a plan. Its words hold slots for the answers of
// earlier steps.
type step struct {
	ask  []word
	desc []word // what stands for its answer as long as there is none
}

// Plan is a question taken apart: each step can be asked when those before it
// are answered. The last step answers the question, or, when it compares,
// the steps together do.
type Plan struct {
	Question string
	Compare  bool
	Alike    bool      // it asks whether the two things are alike, not for one of them
	Lives    bool      // by the time from the answer of the step before: how long they lived
	Things   [2]string // what is compared
	Sides    [2]int    // which step asks of each what they are compared in
	steps    []step
}

// Steps returns how many questions the plan consists of.
func (p *Plan) Steps() int { return len(p.steps) }

// Of takes a question apart. A question that cannot be taken apart is a plan of one
// step.
func (l *Planner) Of(question string) *Plan {
	question = strings.TrimSpace(question)
	p := l.of(parseWords(question))
	p.Question = question
	return p
}

func (l *Planner) of(q []word) *Plan {
	if q = unrequested(q); len(q) == 0 {
		return &Plan{}
	}
	if p, ok := l.comparison(q); ok {
		return p
	}
	return l.nested(q, maxSteps-1)
}

// unrequested returns what a request asks for as a question of its own: "tell me where
// …", "give me the date …".
func unrequested(q []word) []word {
	n := opening(q)
	if n == 0 || n+2 >= len(q) {
		return q
	}
	rest := spacedWords(q[n:])
	switch {
	case rest[0].is("if", "whether"):
		return rest[1:]
	case rest[0].article(), rest[0].names() && n < 3 && q[n-1].post == "":
		return catWords(plainWords("what is"), rest)
	case rest[0].wh():
		return rest
	}
	return q
}

// Named reports whether the question names something.
func (p *Plan) Named() bool {
	for i := range p.steps {
		for k, w := range p.steps[i].ask {
			if w.name && (k > 0 || w.quoted) {
				return true
			}
		}
	}
	return false
}
