package builtin

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/messages/subquestion"
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
	q := parseWords(question)
	if len(q) == 0 {
		return plan{}
	}
	if p, ok := comparison(q); ok {
		return p
	}
	return nestedPlan(q)
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
	p.steps = append(p.steps, step{ask: q})
	return p
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
		case w.is("who", "what", "whom", "is", "was", "are", "were", "the", "name", "names", "of", "full"):
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

// next returns the first question of the plan that was not asked yet, given
// the pairs so far; "" when there is none. What was asked in vain is described
// instead of named in the steps that build on it.
func (p *plan) next(question string, pairs []messages.Pair) string {
	if len(p.steps) == 0 {
		return unasked(question, pairs)
	}
	answers := make([]string, len(p.steps))
	failed := false
	for i := range p.steps {
		text := p.render(i, answers, question)
		pair := askedPair(text, pairs)
		if pair == nil {
			return text
		}
		if answers[i] = answerOf(pair); answers[i] == "" {
			failed = true
		}
	}
	last := len(answers) - 1
	if !p.compare && answers[last] != "" || p.compare && !failed {
		return ""
	}
	return unasked(question, pairs)
}

// matched returns how many of the plan's steps the pairs answer.
func (p *plan) matched(question string, pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	n := 0
	for i := range p.steps {
		pair := askedPair(p.render(i, answers, question), pairs)
		if pair == nil {
			break
		}
		answers[i] = answerOf(pair)
		n++
	}
	return n
}

// answers returns what the pairs answer to each step, "" where they do not.
func (p *plan) answers(question string, pairs []messages.Pair) []string {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		if pair := askedPair(p.render(i, answers, question), pairs); pair != nil {
			answers[i] = answerOf(pair)
		}
	}
	return answers
}

// end returns which of the pairs answers the plan's last step; -1 while none does.
func (p *plan) end(question string, pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		at := asked(p.render(i, answers, question), pairs)
		if at < 0 {
			return -1
		}
		if answers[i] = answerOf(&pairs[at]); i == len(p.steps)-1 && answers[i] != "" {
			return at
		}
	}
	return -1
}

// render words step i. A plan of one step asks the question itself.
func (p *plan) render(i int, answers []string, question string) string {
	if len(p.steps) == 1 {
		return question
	}
	return asQuestion(p.steps[i].ask, p.filler(answers))
}

// filler writes a slot: its answer, or else its description.
func (p *plan) filler(answers []string) func(b *strings.Builder, slot int) {
	var fill func(b *strings.Builder, slot int)
	fill = func(b *strings.Builder, slot int) {
		if slot > len(p.steps) || b.Len() > 2*messages.MaxQuestion {
			return
		}
		if a := answers[slot-1]; a != "" {
			b.WriteString(a)
			return
		}
		writeWords(b, trimWords(p.steps[slot-1].desc), fill)
	}
	return fill
}

// unasked returns the question unless it was asked before.
func unasked(question string, pairs []messages.Pair) string {
	if askedPair(question, pairs) != nil {
		return ""
	}
	return question
}

// asked returns which pair asked text, the last one, preferring one with an answer;
// -1 if none did.
func asked(text string, pairs []messages.Pair) int {
	found := -1
	for i := range pairs {
		if subquestion.Same(pairs[i].Question, text) && (found < 0 || pairs[found].Open() || !pairs[i].Open()) {
			found = i
		}
	}
	return found
}

// askedPair is asked, as the pair; nil if none did.
func askedPair(text string, pairs []messages.Pair) *messages.Pair {
	if i := asked(text, pairs); i >= 0 {
		return &pairs[i]
	}
	return nil
}

// maxAnswer bounds what is put into the next question.
const maxAnswer = 120

// answerOf returns a pair's short answer in the form in which it is put into the
// next question: of a list all items with an "and" before the last; only the
// first line, without the full stop; "" for a non-answer such as "unknown".
func answerOf(p *messages.Pair) string {
	if p.Open() {
		return ""
	}
	a := strings.TrimSpace(p.Answer)
	if items := strings.Split(a, "; "); len(p.Claims) > 1 && len(items) == len(p.Claims) {
		last := len(items) - 1
		a = strings.Join(items[:last], ", ") + " and " + items[last]
	}
	a = strings.TrimSpace(subquestion.FirstLine(a, maxAnswer))
	if !strings.HasSuffix(a, ".") || strings.Count(a, ".") == 1 && strings.Contains(a, " ") && !abbreviated(a) {
		a = strings.TrimSuffix(a, ".")
	}
	switch strings.ToLower(a) {
	case "unknown", "none", "not found", "no answer", "n/a", "i don't know", "i do not know", "not mentioned":
		return ""
	}
	return a
}

// abbreviated reports whether the full stop at the end of a belongs to an
// abbreviation: "Robert Downey Jr."
func abbreviated(a string) bool {
	last := a[strings.LastIndexByte(a, ' ')+1:]
	return len(last) <= 4
}
