package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
)

// told takes apart a question that comes behind statements: what they leave open
// ("… was killed in a battle.") is the first step, and stands where the question
// comes back to it ("What did that battle secure?"). Where it comes back to a name,
// the name stands there.
func (l *Planner) told(q []word) (*Plan, bool) {
	at := questionAt(q)
	if at < 2 {
		return nil, false
	}
	said, ask := q[:at], q[at:]
	r, ok := referring(ask, said)
	if !ok {
		return nil, false
	}
	if r.open.to == 0 {
		return l.behindName(ask, said, r)
	}
	p := &Plan{}
	p.openStep(said, r.open)
	hole := slotWord(len(p.steps))
	hole.post = ask[r.to-1].post
	ask = catWords(ask[:r.from], []word{hole}, ownerMark(r.own), ask[r.to:])
	ask = l.descend(p, ask, maxSteps-1)
	if r.same || p.trivial(ask) || onlyName(ask) {
		return p, true
	}
	p.steps = append(p.steps, step{ask: ask})
	return p, true
}

// behindName is told where the question comes back to the name that the statements
// begin with. If nothing is nested in it, the question is asked as it stands.
func (l *Planner) behindName(ask, said []word, r reference) (*Plan, bool) {
	name := firstName(said)
	if name == nil {
		return nil, false
	}
	whole := l.nested(catWords(ask[:r.from], spacedWords(trimOwner(name)), ownerMark(r.own), ask[r.to:]), maxSteps-1)
	if len(whole.steps) > 1 {
		return whole, true
	}
	return &Plan{steps: []step{{ask: catWords(said, ask)}}}, true
}

// onlyName reports whether a question asks for no more of a slot than what it is:
// "Which was #1", "What is #1 called", "What was #1's title".
func onlyName(q []word) bool {
	slots := 0
	for i := range q {
		switch w := &q[i]; {
		case w.slot > 0:
			slots++
		case w.is("which", "what", "who", "how", "is", "was", "are", "were", "'s", "the", "a", "this", "that", "it", "called", "named", "title", "name"):
		default:
			return false
		}
	}
	return slots == 1
}

// ownerMark is the mark of a possessor.
func ownerMark(own bool) []word {
	if !own {
		return nil
	}
	return []word{{text: "'s", norm: "'s"}}
}

// questionAt returns where behind statements the question begins; 0 if nowhere.
func questionAt(q []word) int {
	for i := 2; i+1 < len(q); i++ {
		mark := q[i-1].post
		if strings.Contains(mark, "?") && !q[i-1].name {
			return 0 // several questions
		}
		if !strings.ContainsAny(mark, ".;:–—") && !strings.ContainsAny(q[i].pre, "–—-") {
			continue
		}
		if q[i].wh() || requests(&q[i]) || q[i].is("whereabouts") {
			return i
		}
		for k := i + 1; k < min(i+6, len(q)) && q[i].preposition(); k++ { // "In what city", "To the south of which"
			if q[k].wh() {
				return i
			}
		}
	}
	return 0
}

// requests reports whether a word asks to be told something.
func requests(w *word) bool {
	return w.is("name", "tell", "give", "say") || w.name && RequestWord(w.norm)
}

// reference is what in a question comes back to what was said before.
type reference struct {
	from, to int
	own      bool    // it is a possessor: "his"
	open     stretch // what it comes back to, if that was left open; else it is a name
	same     bool    // the question asks for nothing else: "Which line is that?"
}

// referring returns the first words of ask that come back to what was said.
func referring(ask, said []word) (reference, bool) {
	opens := opensOf(said)
	for i := range ask {
		w := &ask[i]
		r := reference{from: i, to: i + 1, own: w.is("his", "its", "their") || w.is("her") && i+1 < len(ask) && !ask[i+1].preposition() && ask[i].post == ""}
		switch {
		case w.is("that", "this", "the", "those", "these"):
			for k := i + 1; k < min(i+4, len(ask)) && !ask[k].preposition() && !ask[k].aux() && !ask[k].wh() && !ask[k-1].comma(); k++ {
				if o, ok := opened(said, opens, &ask[k]); ok && (k+1 == len(ask) || !ask[k+1].is("of") || !w.is("the")) {
					r.to, r.open = k+1, o
					return r, true
				}
			}
			if i == len(ask)-1 && i > 1 && ask[0].wh() && !w.is("the") { // "Which line is that?"
				if o, ok := opened(said, opens, &ask[1]); ok {
					r.open, r.same = o, true
					return r, true
				}
			}
		case w.is("he", "she", "him", "his", "her", "it", "its", "they", "them", "their") && !(i+1 < len(ask) && ask[i+1].is("that")):
			person := w.is("he", "she", "him", "his", "her")
			for _, o := range opens {
				if !saysWhat(said, o) && (isPerson(said, o) == person || w.is("they", "them", "their")) {
					r.open = o
					return r, true
				}
			}
			return r, true
		}
	}
	return reference{}, false
}

// opensOf returns what statements leave open: "a battle", "another bank", "someone".
func opensOf(said []word) []stretch {
	var out []stretch
	for i := range said {
		w := &said[i]
		if w.is("someone", "somebody") {
			out = append(out, stretch{i, i + 1})
			continue
		}
		if !w.is("a", "an", "another", "one", "some") || i+1 == len(said) || said[i+1].preposition() || said[i].post != "" {
			continue
		}
		j := i + 1
		for j < len(said) && !said[j].preposition() && !said[j].aux() && !said[j].relative() && !said[j].article() && !said[j].is("and", "or", "'s") &&
			(j == i+1 || said[j].verb&(lang.VerbPast|lang.VerbParticiple) == 0 || said[j].name) {
			j++
			if said[j-1].post != "" {
				break
			}
		}
		if j > i+1 && !said[j-1].is("named", "called", "titled") && !(j < len(said) && said[j].is("named", "called", "titled")) {
			out = append(out, stretch{i, j})
		}
	}
	return out
}

// opened returns what was left open that a noun comes back to: it has the noun, or is
// somebody where the noun is a person.
func opened(said []word, opens []stretch, noun *word) (stretch, bool) {
	for _, o := range opens {
		if o.to == o.from+1 && personWord(noun) {
			return o, true
		}
		for k := o.from + 1; k < o.to; k++ {
			if lang.Stem(said[k].norm) == lang.Stem(noun.norm) || personWord(noun) && noun.is("person", "man", "woman") && personWord(&said[k]) {
				return o, true
			}
		}
	}
	return stretch{}, false
}

// isPerson reports whether what was left open is somebody.
func isPerson(said []word, o stretch) bool {
	return o.to == o.from+1 || personWord(&said[o.to-1])
}

func personWord(w *word) bool {
	return lang.IsRole(w.norm) || lang.ClassOf(w.norm)&lang.Occupation != 0 || strings.HasSuffix(w.norm, "man") || strings.HasSuffix(w.norm, "woman") ||
		w.is("person", "guy", "girl", "boy", "lady", "star")
}

// saysWhat reports whether what was left open says what a name is: "X is a song".
func saysWhat(said []word, o stretch) bool {
	return o.from > 0 && lang.IsBe(said[o.from-1].norm) && (said[0].names() || said[0].article())
}

// firstName returns the name that statements begin with; nil if there is none. Words
// without a verb are one.
func firstName(said []word) []word {
	if nextVerb(said, 0, len(said)) < 0 && !slices.ContainsFunc(said, func(w word) bool { return w.aux() }) {
		return said
	}
	for i := range said { // "a picture named X"
		if i+1 < len(said) && said[i].is("named", "called", "titled") && said[i+1].names() {
			return said[i+1 : nameEnd(said, i+1)]
		}
	}
	for i := range said {
		if end := nameEnd(said, i); end > i {
			return said[i:end]
		}
	}
	return nil
}

// openStep asks for what was left open, in the sentence that it stands in. What is
// left open inside of a clause about something else that was comes after that.
func (p *Plan) openStep(said []word, o stretch) {
	from, to := 0, len(said)
	for i := 1; i < len(said); i++ {
		if !strings.ContainsAny(said[i-1].post, ".;") || said[i-1].name && said[i].name {
			continue
		}
		if i <= o.from {
			from = i
		} else {
			to = min(to, i)
		}
	}
	for _, first := range opensOf(said[from:o.from]) {
		rel := from + first.to
		if rel < o.from && said[rel].is("who", "that", "which") && len(p.steps) < maxSteps-2 {
			p.steps = append(p.steps, step{ask: whichOf(said[from:rel], stretch{first.from, first.to}), desc: said[from+first.from : rel]})
			ask := catWords([]word{slotWord(len(p.steps))}, said[rel+1:to])
			p.steps = append(p.steps, step{ask: whichOf(ask, stretch{o.from - rel, o.to - rel}), desc: said[o.from:o.to]})
			return
		}
	}
	p.steps = append(p.steps, step{ask: whichOf(said[from:to], stretch{o.from - from, o.to - from}), desc: said[o.from:o.to]})
}

// whichOf asks which of its kind is meant where o is left open.
func whichOf(said []word, o stretch) []word {
	which := plainWords("which")
	if o.to == o.from+1 { // "someone"
		which = plainWords("who")
		which[0].post = said[o.from].post
	}
	v := o.from - 2
	if v > 1 && !said[0].preposition() && said[v+1].is("by") && said[v].verb&lang.VerbParticiple != 0 && lang.IsBe(said[v-1].norm) { // "X was made by a man": "which man made X"
		agent := catWords(which, said[o.from+1:o.to])
		agent[len(agent)-1].post = ""
		return catWords(agent, said[v:v+1], spacedWords(trimOwner(said[:v-1])), said[o.to:])
	}
	return catWords(said[:o.from], which, said[o.from+1:])
}
