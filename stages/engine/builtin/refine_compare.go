package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// comparison takes apart a question that sets two things side by side: for
// each of them the attribute in question is asked for, by way of the person
// in between if there is one ("which film has the director who died first").
func comparison(q []word) (plan, bool) {
	a, b, pred, ok := alternatives(q)
	chosen := ok // one of the two is the answer
	if !ok {
		a, b, pred, ok = shared(q)
	}
	if !ok {
		a, b, pred, ok = named(q)
	}
	if !ok || len(a) == 0 || len(b) == 0 || len(a) > 30 || len(b) > 30 {
		return plan{}, false
	}
	if chosen && weighsObject(pred) {
		return plan{}, false
	}
	role, pred := byWayOf(pred)
	p := plan{compare: true, things: [2]string{textOf(a), textOf(b)}}
	for _, thing := range [2][]word{trimWords(a), trimWords(b)} {
		thing[0].space = true
		thing[len(thing)-1].post = strings.TrimRight(thing[len(thing)-1].post, "'’")
		if role != nil {
			ask := catWords(plainWords("who is the"), spacedWords(role), plainWords("of"), thing)
			p.steps = append(p.steps, step{ask: ask, desc: catWords(plainWords("the"), spacedWords(role), plainWords("of"), thing)})
			thing = []word{slotWord(len(p.steps))}
		} else {
			thing = p.descend(thing, len(p.steps)+1)
		}
		ask := askAttribute(pred, thing, role != nil || len(thing) == 1 && thing[0].slot > 0)
		if chosen && !ask[0].wh() && !(ask[0].preposition() && ask[1].wh()) {
			return plan{}, false // nothing to compare: whoever reads of both can choose
		}
		p.steps = append(p.steps, step{ask: ask, desc: thing})
	}
	if len(p.steps) > maxSteps || sameWords(p.steps[0].ask, p.steps[len(p.steps)/2].ask) {
		return plan{}, false
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
		return sidesOf(q)
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
	if !b[0].names() && !b[0].article() && !kindWord(&b[0]) {
		return nil, nil, nil, false
	}
	if from < 2 && !q[0].aux() || !anyName(q[from:or]) && !anyName(b) {
		return nil, nil, nil, false
	}
	if q[0].aux() { // "Is A or B older": what follows B is the predicate
		end := nameEnd(q, or+1)
		return q[from:or], q[or+1 : max(end, or+2)], catWords(q[:from], q[max(end, or+2):]), true
	}
	return q[from:or], b, q[:from], true
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

// sidesOf finds "between A and B, which …" and "… of A and B".
func sidesOf(q []word) (a, b, pred []word, ok bool) {
	for i := range q {
		if !q[i].is("between") && !(q[i].is("of") && (i == 0 || i > 0 && q[i-1].is("which", "who", "out")) && i+1 < len(q) && q[i+1].names()) {
			continue
		}
		x, y, end := conjoined(q, i+1)
		if x == nil || !compares(q) {
			return nil, nil, nil, false
		}
		return x, y, catWords(q[:i], q[end:]), true
	}
	return nil, nil, nil, false
}

// compares reports whether q holds a word that weighs things.
func compares(q []word) bool {
	for i := range q {
		if w := &q[i]; w.is("more", "most", "first", "last", "earlier", "later", "older", "younger", "elder", "eldest", "sooner", "fewer", "less", "least", "farther") ||
			comparative(w) || superlativeWord(w) {
			return true
		}
	}
	return false
}

func comparative(w *word) bool {
	return w.is("larger", "bigger", "taller", "higher", "longer", "smaller", "shorter", "greater", "deeper", "wider", "heavier",
		"lower", "newer", "faster", "older", "younger", "earlier", "later", "sooner", "closer", "richer", "hotter", "colder")
}

// conjoined reads "A and B" from word i: a is everything up to the "and" that
// a name precedes, b the name behind it.
func conjoined(q []word, i int) (a, b []word, end int) {
	for k := i + 1; k+1 < len(q); k++ {
		if q[k].norm != "and" && q[k].norm != "&" || q[k].quoted || !q[k-1].names() {
			continue
		}
		s := k + 1
		for s < len(q) && s < k+5 && (q[s].article() || kindWord(&q[s]) || lang.IsRelation(q[s].norm) && !q[s].name || q[s].is("of")) {
			s++
		}
		end = nameEnd(q, s)
		if end == s {
			continue
		}
		if end < len(q) && q[end].name && q[end-1].comma() { // "and B, C": B's own comma
			end = nameEnd(q, end)
		}
		return q[i:k], q[k+1 : end], end
	}
	return nil, nil, 0
}

// shared finds "Are A and B both …", "Do A and B have the same …" and
// "… do both A and B …".
func shared(q []word) (a, b, pred []word, ok bool) {
	mark := -1 // both, same, common, share
	for i := range q {
		if q[i].is("both", "same", "common", "share", "shared") {
			mark = i
			break
		}
	}
	yesNo := q[0].aux()
	if mark < 0 && !yesNo {
		return nil, nil, nil, false
	}
	start := 0
	for start < len(q) && !q[start].aux() {
		start++
	}
	if q[0].is("both") {
		start = 0
	} else if q[0].names() && mark > 0 {
		start = -1 // "A and B are both located in which country"
	}
	if start++; start >= len(q) || !yesNo && mark < 0 {
		return nil, nil, nil, false
	}
	from := start
	for from < len(q) && !q[from].names() && !lang.IsRelation(q[from].norm) {
		if q[from].article() && from+1 < len(q) && q[from+1].names() {
			break
		}
		if q[from].verb&lang.VerbPast != 0 || q[from].preposition() && !q[from].is("of") {
			return nil, nil, nil, false
		}
		from++
	}
	x, y, end := conjoined(q, from)
	if x == nil {
		return nil, nil, nil, false
	}
	if mark < 0 && end >= len(q) {
		return nil, nil, nil, false
	}
	return x, y, catWords(q[:start], rolesOf(q[start:from]), q[end:]), true
}

// rolesOf returns "the directors" of "the directors of films", where things
// are compared by way of those.
func rolesOf(lead []word) []word {
	for i := range lead {
		if w := &lead[i]; i+1 < len(lead) && lead[i+1].is("of") && !w.names() && lang.IsRole(strings.TrimSuffix(w.norm, "s")) {
			return catWords(plainWords("the"), lead[i:i+1])
		}
	}
	return nil
}

// byWayOf returns the person by way of whom things are compared: the director
// in "which film has the director who died first", with what is left to ask.
func byWayOf(pred []word) (role, rest []word) {
	for i := range pred {
		w := &pred[i]
		if w.names() || !lang.IsRole(w.norm) && !lang.IsRole(strings.TrimSuffix(w.norm, "s")) || w.is("star", "stars") {
			continue
		}
		if i == 0 || !pred[i-1].article() && !pred[i-1].is("whose", "have", "has", "with", "'s", "their", "its", "different") {
			continue
		}
		r := *w
		r.norm = strings.TrimSuffix(r.norm, "s")
		r.text, r.post = r.norm, ""
		if rest = pred[i+1:]; !compares(rest) && compares(pred[:i]) { // "the younger person in the director's chair"
			rest = catWords(pred[:i], rest)
		}
		return []word{r}, rest
	}
	return nil, pred
}
