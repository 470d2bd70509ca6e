package plan

import (
	"maps"
	"slices"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
)

// Entity is what a question asks for on the way to its answer, or the answer itself.
type Entity struct {
	Words map[string]bool // stems of what it is described by
	Needs []int           // the entities that the description builds on
}

// described is how many of the words of a description a stretch must have, for being it.
const described = 0.8

// Lessons returns the choices on the way to taking a question apart, for fitting the
// weights of what questions nest. The last of entities is the answer. Where several
// stretches have the words of a description, which of them it is is left open.
func Lessons(question string, entities []Entity) (out []linear.Group) {
	t := lesson{entities: entities, done: make([]int, len(entities))}
	q := unrequested(parseWords(question))
	for step := 1; len(q) > 0 && step <= len(entities); step++ {
		g, next, at := t.choice(q, -1)
		if next < 0 {
			if step == 1 || !slices.Contains(t.done[:len(t.done)-1], 0) { // else something is nested that no stretch is
				g.Right[0] = 1
				out = append(out, g)
			}
			return out
		}
		out = append(out, g)
		for e := range entities[:len(entities)-1] { // and each description by itself
			if whole := t.describing(q, stretches(q), e, t.all(e)); t.done[e] == 0 && len(whole) > 0 {
				s := whole[len(whole)-1]
				g, next, _ := t.choice(whatIs(q[s.from:s.to]), e)
				if next < 0 && t.ready(e) {
					g.Right[0] = 1
				}
				out = append(out, g)
			}
		}
		t.done[next] = step
		q = openedBy(catWords(q[:at.from], []word{holeFor(q, at, step)}, q[at.to:]))
	}
	return out
}

// lesson is a question that is being taken apart.
type lesson struct {
	entities []Entity
	done     []int // the slots of those that are
}

// choice returns the choice of what to take out of q, with the first of the entities
// that may be taken out, and where it is described; -1 if there is none. q asks for
// entity about itself, if for any.
func (t *lesson) choice(q []word, about int) (g linear.Group, next int, at stretch) {
	o, all := observe(q), stretches(q)
	g = linear.Group{Members: []linear.Features{o.none(nil)}, Right: make([]float32, 1+len(all))}
	for _, s := range all {
		g.Members = append(g.Members, o.description(nil, s))
	}
	next = -1
	for e := range t.entities[:len(t.entities)-1] {
		if e == about || t.done[e] > 0 || !t.ready(e) {
			continue
		}
		for _, s := range t.describing(q, all, e, t.entities[e].Words) {
			g.Right[1+slices.Index(all, s)] = 1
			if next < 0 || next == e && s.to-s.from > at.to-at.from {
				next, at = e, s
			}
		}
	}
	return g, next, at
}

// ready reports whether what an entity builds on has its place.
func (t *lesson) ready(e int) bool {
	return !slices.ContainsFunc(t.entities[e].Needs, func(n int) bool { return t.done[n] == 0 })
}

// all returns the words of an entity and of those that it builds on and are not done.
func (t *lesson) all(e int) map[string]bool {
	words := maps.Clone(t.entities[e].Words)
	for _, n := range t.entities[e].Needs {
		if t.done[n] == 0 {
			maps.Copy(words, t.all(n))
		}
	}
	return words
}

// describing returns the stretches of q that describe entity e best, by its words.
func (t *lesson) describing(q []word, all []stretch, e int, own map[string]bool) (right []stretch) {
	slots := map[int]bool{}
	for _, n := range t.entities[e].Needs {
		slots[t.done[n]] = true
	}
	delete(slots, 0)
	rest := map[string]bool{} // what describes others
	for k := range t.entities {
		for w := range t.entities[k].Words {
			rest[w] = rest[w] || k != e && t.done[k] == 0
		}
	}
	if len(own) > len(t.entities[e].Words) { // those that it builds on are part of it
		for w := range own {
			delete(rest, w)
		}
	}
	best := described
	for _, s := range all {
		switch v := share(q, s, own, rest, slots); {
		case v < best:
		case v > best:
			best, right = v, []stretch{s}
		default:
			right = append(right, s)
		}
	}
	return right
}

// share is how many of the words of q that describe one entity alone stand on the right
// side of the borders of s, if all slots do; 0 if none stands in it.
func share(q []word, s stretch, own, rest map[string]bool, slots map[int]bool) float64 {
	right, all, within := 0, 0, len(slots)
	for k := range q {
		w, in := &q[k], k >= s.from && k < s.to
		if w.slot > 0 && in != slots[w.slot] {
			return 0
		}
		if w.slot > 0 || lang.IsStop(w.norm) && !w.name {
			continue
		}
		for _, t := range lang.Tokens(w.text) {
			mine := own[t.Stem]
			if mine == rest[t.Stem] {
				continue
			}
			all++
			if mine == in {
				right++
			}
			if mine && in {
				within++
			}
		}
	}
	if all == 0 || within == 0 {
		return 0
	}
	return float64(right) / float64(all)
}
