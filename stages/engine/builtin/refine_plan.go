package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// maxSteps bounds a plan: one round each, and one is left for asking the
// question as it stands.
const maxSteps = 4

// step is one question of a plan. Its words hold slots for the answers of
// earlier steps.
type step struct {
	ask  []word
	desc []word // what stands for its answer as long as there is none
}

// plan is a question taken apart: each step can be asked when those before it
// are answered. The last step answers the question, or, when it compares,
// the steps together do.
type plan struct {
	steps   []step
	compare bool
	alike   bool      // it asks whether the two things are alike, not for one of them
	things  [2]string // what is compared
	sides   [2]int    // which step asks of each what they are compared in
	lives   bool      // by the time from the answer of the step before: how long they lived
}

// planOf takes a question apart. A question that cannot be taken apart is a
// plan of one step.
func planOf(question string) plan {
	q := unrequested(parseWords(question))
	if len(q) == 0 {
		return plan{}
	}
	if p, ok := comparison(q); ok {
		return p
	}
	if p, ok := told(q); ok {
		return p
	}
	return nestedPlan(q)
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

// named reports whether the plan's question names something.
func (p *plan) named() bool {
	for i := range p.steps {
		for k, w := range p.steps[i].ask {
			if w.name && (k > 0 || w.quoted) {
				return true
			}
		}
	}
	return false
}

// nestedPlan replaces the innermost description by a slot until none is left.
func nestedPlan(q []word) plan { return nestedWithin(q, maxSteps-1) }

// nestedWithin replaces at most limit descriptions.
func nestedWithin(q []word, limit int) plan {
	var p plan
	q = p.descend(q, limit)
	if n := len(p.steps); n > 0 && p.trivial(q) {
		return p
	}
	p.steps = append(p.steps, step{ask: inverted(q)})
	return p
}

// inverted puts the auxiliary before a slot that stands behind the question word:
// "where #1 was born".
func inverted(q []word) []word {
	i := 1
	for i < len(q) && i < 4 && q[i].slot == 0 && !q[i].names() && !q[i].aux() && q[i].verb == 0 {
		i++
	}
	if i+2 >= len(q) || !q[0].wh() || q[0].is("who", "whose") || q[i].slot == 0 || !q[i+1].aux() || q[i].post != "" {
		return q
	}
	out := catWords(q)
	out[i], out[i+1] = q[i+1], q[i]
	return out
}

// descend appends the steps for what is nested in q, at most limit, and
// returns what is left of q.
func (p *plan) descend(q []word, limit int) []word {
	for len(p.steps) < limit {
		ph, ok := innermost(q, len(p.steps)+1)
		if !ok || ph.rest == nil && swallows(q, ph) {
			return q
		}
		if len(p.steps)+len(ph.asks) > limit {
			ph.asks = ph.asks[:1]
			if len(ph.asks) == 0 || len(p.steps)+1 > limit {
				return q
			}
		}
		n := len(p.steps)
		for i, ask := range ph.asks {
			s := step{ask: ask, desc: q[ph.from:ph.to]}
			if i+1 < len(ph.asks) { // asked for on the way to a relative by two steps
				s.desc = ask[2:]
			}
			p.steps = append(p.steps, s)
		}
		n += len(ph.asks)
		if ph.rest != nil {
			for i := range ph.rest {
				if ph.rest[i].slot < 0 {
					ph.rest[i].slot = n
				}
			}
			q = ph.rest
			continue
		}
		hole := slotWord(n)
		hole.post = q[ph.to-1].post
		hole.pre = q[ph.from].pre
		if ph.to < len(q) && verbAt(q, ph.to) {
			hole.post = strings.Trim(hole.post, ",")
		}
		if strings.ContainsAny(hole.post, `")`) || strings.ContainsAny(hole.pre, `"(`) {
			hole.pre, hole.post = "", strings.Trim(hole.post, `")'’`)
		}
		before := q
		q = catWords(q[:ph.from], []word{hole}, q[ph.to:])
		if len(ph.asks) == 1 && before[0].wh() && p.trivial(q) { // the question's own wording is the best
			p.steps[n-1].ask = before
		}
	}
	return q
}

// swallows reports whether the phrase took the question's verb: what is left
// would be "when did #1".
func swallows(q []word, ph phrase) bool {
	if ph.to < len(q) || ph.from == 0 || ph.from > 0 && !q[ph.from-1].aux() {
		return false
	}
	aux := &q[ph.from-1]
	if !lang.IsBe(aux.norm) {
		return true
	}
	return q[0].is("when", "how", "why") && ph.from == 2
}

// trivial reports whether nothing but the last slot is left of the question:
// "who is #2", "what is the name of #1", "where was #2".
func (p *plan) trivial(q []word) bool {
	hole := -1
	place := false
	for i := range q {
		w := &q[i]
		switch {
		case w.slot > 0:
			if hole >= 0 || i+1 < len(q) && q[i+1].norm == "'s" {
				return false
			}
			hole = i
		case w.is("where", "when", "which"):
			place = true
		case w.is("who", "what", "whom", "whos", "is", "was", "are", "were", "the", "name", "names", "of", "full"), place && lang.IsPlace(w.norm):
		default:
			return false
		}
	}
	if hole != len(q)-1 {
		return false
	}
	if place { // only where what was asked for is itself a place or a time
		s := p.steps[len(p.steps)-1].desc
		for i := range s {
			if lang.IsPlace(s[i].norm) || s[i].is("date", "year", "day", "time") {
				return true
			}
			if s[i].is("of", "that", "which", "who") || s[i].name {
				break
			}
		}
		return lang.IsPlace(s[len(s)-1].norm)
	}
	return true
}
