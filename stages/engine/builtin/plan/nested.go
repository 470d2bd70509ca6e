package plan

import (
	"strings"

	"hopstream/index/lang"
)

// nested replaces the innermost description by a slot until none is left, at most
// limit of them.
func (l *Planner) nested(q []word, limit int) *Plan {
	p := &Plan{}
	q = l.descend(p, q, limit)
	if asks := kin(q, len(p.steps)+1); asks != nil && len(p.steps) < limit {
		p.steps = append(p.steps, step{ask: asks[0], desc: asks[0][2:]}, step{ask: asks[1]})
		return p
	}
	if n := len(p.steps); n > 0 && p.trivial(q) {
		return p
	}
	p.steps = append(p.steps, step{ask: inverted(q)})
	return p
}

// kin returns the two questions for what q asks of a name: a relative by two steps; nil
// if it asks for something else.
func kin(q []word, slot int) [][]word {
	from := 0
	for from < len(q) && bareAround(q[:from+1], from+1, from+1) && !q[from].is("the") {
		from++
	}
	if from < 2 || len(q)-from < 3 {
		return nil
	}
	if asks := asksFor(q[from:], slot); len(asks) == 2 {
		return asks
	}
	return nil
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

// descend appends the steps for what is nested in q to p, which gets at most limit,
// and returns what is left of q.
func (l *Planner) descend(p *Plan, q []word, limit int) []word {
	for len(p.steps) < limit {
		s, ok := l.innermost(q)
		if !ok {
			return q
		}
		desc := q[s.from:s.to]
		// What is nested in the description itself comes before.
		asks := asksFor(l.descend(p, whatIs(desc), limit-1)[2:], len(p.steps)+1)
		if len(p.steps)+len(asks) > limit {
			return q
		}
		for i, ask := range asks {
			if i+1 < len(asks) { // asked for on the way to a relative by two steps
				p.steps = append(p.steps, step{ask: ask, desc: ask[2:]})
				continue
			}
			p.steps = append(p.steps, step{ask: ask, desc: desc})
		}
		before := q
		q = openedBy(catWords(q[:s.from], []word{holeFor(q, s, len(p.steps))}, q[s.to:]))
		if len(asks) == 1 && before[0].wh() && p.trivial(q) { // the question's own wording is the best
			p.steps[len(p.steps)-1].ask = before
		}
	}
	return q
}

// whatIs asks what a description is of.
func whatIs(desc []word) []word { return catWords(plainWords("what is"), spacedWords(trimWords(desc))) }

// holeFor is the slot of step n in the place of a description, with the marks around it.
func holeFor(q []word, s stretch, n int) word {
	hole := slotWord(n)
	hole.pre, hole.post = q[s.from].pre, q[s.to-1].post
	if s.to < len(q) && verbAt(q, s.to) {
		hole.post = strings.Trim(hole.post, ",")
	}
	if strings.ContainsAny(hole.post, `")`) || strings.ContainsAny(hole.pre, `"(`) {
		hole.pre, hole.post = "", strings.Trim(hole.post, `")'’`)
	}
	return hole
}

// trivial reports whether nothing but the last slot is left of the question:
// "who is #2", "what is the name of #1", "where was #2".
func (p *Plan) trivial(q []word) bool {
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
