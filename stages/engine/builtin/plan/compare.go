package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
)

// comparison takes apart a question that sets two things side by side: for
// each of them the attribute in question is asked for, by way of the person
// in between if there is one ("which film has the director who died first").
func (l *Planner) comparison(q []word) (*Plan, bool) {
	marks := 0
	for i := range q {
		if strings.Contains(q[i].post, "?") && (i+1 == len(q) || q[i+1].wh() || q[i+1].aux()) {
			marks++
		}
	}
	if marks > 1 { // several questions
		return nil, false
	}
	a, b, pred, chosen := alternatives(q)
	far := false
	if !chosen {
		a, b, pred, far = pairOf(q)
	}
	if len(a) == 0 || len(a) > 30 || len(b) > 30 {
		return nil, false
	}
	if chosen && weighsObject(pred) {
		return nil, false
	}
	way, desc, pred := byWayOf(pred)
	p := &Plan{Compare: true, Alike: !chosen && !compares(q) && yesOrNo(q), Things: [2]string{textOf(a), textOf(b)}}
	for i, thing := range [2][]word{trimWords(a), trimWords(b)} {
		if n := len(thing); n > 1 && thing[n-1].norm == "'s" {
			thing = thing[:n-1]
			p.Things[i] = textOf(thing)
		}
		thing[0].space = true
		thing[len(thing)-1].post = strings.TrimRight(thing[len(thing)-1].post, "'’")
		if way != nil {
			p.steps = append(p.steps, step{ask: catWords(way, thing), desc: catWords(desc, thing)})
			thing = []word{slotWord(len(p.steps))}
		} else {
			thing = l.descend(p, thing, len(p.steps)+1)
		}
		if way == nil && livesLonger(pred) {
			p.Lives = true
			p.steps = append(p.steps, step{ask: catWords(plainWords("when was"), spacedWords(thing), plainWords("born")), desc: thing})
		}
		ask := askAttribute(pred, thing, way != nil || len(thing) == 1 && thing[0].slot > 0)
		if !ask[0].wh() && !(ask[0].preposition() && ask[1].wh()) && (!p.Alike || far || asksWhich(pred)) {
			return nil, false // nothing to compare: whoever reads of both can choose
		}
		p.Sides[i] = len(p.steps)
		p.steps = append(p.steps, step{ask: ask, desc: thing})
	}
	if len(p.steps) > maxSteps || sameWords(p.steps[0].ask, p.steps[len(p.steps)/2].ask) {
		return nil, false
	}
	return p, true
}

// weighsObject reports whether what pred weighs is not the things that are compared,
// but what they do something to: "deletes the oldest messages".
func weighsObject(pred []word) bool {
	for i := 2; i+1 < len(pred); i++ {
		if superlativeWord(&pred[i]) && pred[i-1].article() && !pred[i+1].preposition() {
			if v := nextVerb(pred, 1, i-1); v > 0 && !pred[v].aux() {
				return true
			}
		}
	}
	return false
}

func sameWords(a, b []word) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].norm != b[i].norm || a[i].slot != b[i].slot {
			return false
		}
	}
	return true
}

// alternatives finds "…, A or B" and "between A and B, …". pred is the rest.
func alternatives(q []word) (a, b, pred []word, ok bool) {
	or := -1
	for i := len(q) - 2; i > 1; i-- {
		if q[i].norm == "or" && !q[i].quoted && !q[i].name {
			or = i
			break
		}
	}
	if or < 0 {
		return nil, nil, nil, false
	}
	if !q[0].wh() && !(q[0].preposition() && q[1].wh()) && !q[or-1].names() {
		return nil, nil, nil, false
	}
	// A begins behind the comma or colon before it, else where its name begins.
	from := -1
	for i := or - 1; i > 1; i-- {
		if (q[i-1].comma() || strings.Contains(q[i-1].post, ":")) && i < or {
			if !q[i].names() && !q[i].article() && !kindWord(&q[i]) {
				break
			}
			from = i
			if nextVerb(q, 0, i) >= 0 && !(q[i-1].names() && q[i].names() && goesOnAfterComma(&q[i])) {
				break
			}
		}
	}
	if from < 0 {
		k := or
		for k > 1 && (q[k-1].names() || particle(&q[k-1]) && k > 2 && q[k-2].names()) && !(k < or && q[k-1].comma()) {
			k--
		}
		for k < or && !q[k].names() {
			k++
		}
		if k == or {
			return nil, nil, nil, false
		}
		from = k
	}
	from = wholeTitle(q, from)
	b = q[or+1:]
	var behind []word
	for k := 1; k+1 < len(b); k++ { // "A or B: which one …"
		if strings.ContainsAny(b[k-1].post, ",:;") && (b[k].wh() || b[k].relative()) {
			b, behind = b[:k], b[k:]
		}
	}
	if !b[0].names() && !b[0].article() && !kindWord(&b[0]) {
		return nil, nil, nil, false
	}
	if from < 2 && !q[0].aux() || or == from+1 && numeric(&q[from]) || !anyName(q[from:or]) && !anyName(b) {
		return nil, nil, nil, false
	}
	if q[0].aux() { // "Is A or B older": what follows B is the predicate
		k := or + 1
		for k < or+3 && k+1 < len(q) && !q[k].names() { // "or the satellite B"
			k++
		}
		end := nameEnd(q, k)
		return q[from:or], q[or+1 : max(end, or+2)], catWords(q[:from], q[max(end, or+2):]), true
	}
	return q[from:or], b, catWords(q[:from], behind), true
}

// wholeTitle moves the beginning of a thing over names that commas set apart
// from it, as far as the question's verb stands before them: "…, No, No,
// Nanette or …".
func wholeTitle(q []word, from int) int {
	for k := from; k > 2 && q[k-1].names() && q[k-1].comma() && k > 0; {
		for k--; k > 1 && q[k-1].names() && !q[k-1].comma(); k-- {
		}
		if k < 2 || !q[k-1].comma() || nextVerb(q, 0, k) < 0 {
			break
		}
		from = k
	}
	return from
}

func anyName(ws []word) bool {
	for i := range ws {
		if ws[i].names() {
			return true
		}
	}
	return false
}

// content reports whether a word says something of its own.
func content(w *word) bool {
	return !w.aux() && !w.preposition() && !w.article() && !lang.IsStop(w.norm)
}

// asksWhich reports whether words ask for something else than yes or no; who, where
// and when may as well open a clause about a thing.
func asksWhich(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return w.wh() && !w.is("who", "where", "when") })
}

// byWayOf returns whom things are compared by way of, as the words that ask for
// them before a thing: "who is the director of" in "which film has the director who
// died first", "who wrote" in "the man who wrote"; with what is left to ask. Where a
// question says that the things are both directors, that is no way.
func byWayOf(pred []word) (ask, desc, rest []word) {
	for i := 1; i < len(pred); i++ {
		if w := &pred[i]; w.verb&lang.VerbPast != 0 && !w.aux() && (pred[i-1].is("whoever") || i > 2 && pred[i-1].is("who", "that") && pred[i-2].is("person", "people", "man", "men", "woman", "women", "one", "ones", "somebody", "someone")) && (i+1 == len(pred) || !content(&pred[i+1])) {
			act := catWords([]word{*w})
			return catWords(plainWords("who"), act), catWords(plainWords("whoever"), act), catWords(pred[:i-1], pred[i+1:])
		}
		if !role(&pred[i]) {
			continue
		}
		k := i - 1
		for k > 0 && (superlativeWord(&pred[k]) || compares(pred[k:k+1]) || pred[k].is("two")) {
			k--
		}
		if !(i+1 < len(pred) && pred[i+1].is("of")) && !pred[k].article() && !pred[k].is("whose", "have", "has", "with", "'s", "their", "its", "different") || pred[k].is("a", "an") {
			continue
		}
		r := pred[i]
		if r.norm = strings.TrimSuffix(r.norm, "s"); !lang.IsRole(r.norm) {
			r.norm = pred[i].norm
		}
		r.text, r.post, r.space = r.norm, "", true
		desc = catWords(plainWords("the"), []word{r}, plainWords("of"))
		return catWords(plainWords("who is"), desc), desc, catWords(pred[:i], pred[i+1:])
	}
	return nil, nil, pred
}
