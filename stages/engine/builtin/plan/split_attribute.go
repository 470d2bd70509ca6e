package plan

import (
	"slices"
	"strings"
)

// requested takes apart what a sentence requests, as questions: "Tell me who founded
// X, the size of Y and in which year …". It returns nil where fewer than two things
// are requested. lead is what stands before the request and goes with all of it:
// "About Z, I'd like to know".
func requested(s []word) (out [][]word, lead []word) {
	from := opening(s)
	for k := 1; from == 0 && k < min(len(s), 8); k++ {
		if n := opening(s[k:]); n > 0 && s[k-1].comma() {
			from, lead = k+n, s[:k]
		}
	}
	if from == 0 {
		return nil, nil
	}
	for k := from + 1; k <= len(s); k++ {
		at := k // where the next item begins
		for at < len(s) && (s[at].is("and", "also", "plus", "finally", "then", "as") || s[at].is("well") && s[at-1].is("as")) {
			at++
		}
		if k < len(s) && (at == k && !s[k-1].comma() || !itemBegins(s, at, at > k)) {
			continue
		}
		item := s[from:k]
		if !standsAlone(item) {
			if len(out) == 0 || k == len(s) {
				return nil, nil // no more than words before the first, or a last one that is none
			}
			continue
		}
		if !item[0].wh() && !(item[0].preposition() && item[1].wh()) {
			item = catWords(plainWords("what is"), spacedWords(item))
		}
		out = append(out, trimWords(item))
		from = min(at+opening(s[min(at, len(s)):]), len(s))
		k = from
	}
	if len(out) < 2 {
		return nil, nil
	}
	return out, lead
}

// opening returns how many words s begins with that say no more than that something
// is asked for: "please tell me", "I'd like to know".
func opening(s []word) int {
	is := func(i int, norms ...string) bool { // what a sentence begins with looks like a name
		return i < len(s) && !s[i].quoted && s[i].slot == 0 && (i == 0 || !s[i].name) && slices.Contains(norms, s[i].norm)
	}
	i := 0
	for is(i, "please", "also", "can", "could", "would", "you") {
		i++
	}
	switch {
	case is(i, "tell", "give", "show") && is(i+1, "me", "us"):
		return i + 2
	case is(i, "name", "list", "say", "state", "identify", "tell", "give") && !is(i+1, "of", "about", "for"):
		return i + 1
	case is(i, "i", "i'd", "i'm", "we", "we'd"):
		for k := i + 1; k < i+7; k++ {
			if is(k, "know", "wonder", "wondering", "learn", "curious") {
				return k + 1
			}
		}
	}
	return 0
}

// itemBegins reports whether one of the things requested begins at s[at], behind a
// conjunction or a comma.
func itemBegins(s []word, at int, conjunction bool) bool {
	if n := opening(s[min(at, len(s)):]); n > 0 {
		at += n
	}
	if at+2 >= len(s) {
		return false
	}
	w := &s[at]
	switch {
	case w.article(), w.is("its", "his", "her"):
		return true
	case w.preposition() && s[at+1].wh():
		return conjunction || s[at+1].is("which", "what", "whom") && !s[at+2].aux()
	case w.is("what", "which", "whose"):
		return conjunction || !s[at+1].aux() && s[at+1].verb == 0
	case w.is("how", "why", "when", "where"):
		return true
	}
	return conjunction && w.is("who", "whom")
}

// standsAlone reports whether a thing requested can be asked for by itself: a clause
// with a question word, or a noun phrase that says of what it is.
func standsAlone(item []word) bool {
	if len(item) < 3 {
		return false
	}
	if item[0].wh() || item[0].preposition() && item[1].wh() {
		return true
	}
	return slices.ContainsFunc(item[1:], func(w word) bool { return w.names() || w.preposition() || w.norm == "'s" }) || item[0].is("its", "their", "his", "her")
}

// attributes takes "what are the population and the area of X" apart, and
// "what are X's height and weight", and "the capital of X and its population".
func attributes(q []word) [][]word {
	whole := [][]word{q}
	start := -1 // the first word behind the auxiliary or the imperative
	for i := 0; i < len(q) && i < 4; i++ {
		if q[i].aux() && i > 0 && q[0].is("what", "who", "whats") && i == 1 || i == 0 && q[0].is("name", "list", "give", "describe", "explain", "identify", "state") {
			start = i + 1
			break
		}
	}
	if start < 0 || start+3 >= len(q) {
		return whole
	}
	for i := range q {
		if q[i].is("between", "difference", "differences", "relationship", "compare", "both", "common", "same", "similarities", "or", "either") {
			return whole
		}
	}
	if parts := ofAttributes(q, start); parts != nil {
		return parts
	}
	if parts := ownAttributes(q, start); parts != nil {
		return parts
	}
	return whole
}

// ofAttributes reads "the A, B and C of X" and "the A of X and the B of Y".
func ofAttributes(q []word, start int) [][]word {
	if !q[start].article() {
		return nil
	}
	of := -1
	for i := start; i < len(q); i++ {
		if q[i].is("of") {
			of = i
			break
		}
	}
	if of < 0 {
		return nil
	}
	if items := listItems(q[start:of]); len(items) > 1 {
		var out [][]word
		for _, item := range items {
			if !item[0].article() {
				item = catWords(plainWords("the"), spacedWords(item))
			}
			out = append(out, catWords(heading(q[:start]), spacedWords(item), q[of:]))
		}
		return out
	}
	// "… of X and the B of Y", "… of X and its B"
	for i := of + 2; i+1 < len(q); i++ {
		if !q[i].is("and") || i+1 >= len(q) {
			continue
		}
		if nextVerb(q, i, len(q)) >= 0 {
			return nil
		}
		own := q[i+1].is("his", "her", "its")
		if !own {
			if !q[i+1].is("the") || q[i-1].comma() {
				continue
			}
			k := i + 2
			for k < len(q) && k < i+7 && !q[k].is("of") && !q[k].preposition() {
				k++
			}
			if k >= len(q) || !q[k].is("of") || k+1 >= len(q) || q[of+1].names() && !anyName(q[k:]) {
				continue
			}
		}
		return [][]word{catWords(heading(q[:start]), q[start:i]), catWords(heading(q[:start]), q[i+1:])}
	}
	return nil
}

// ownAttributes reads "X's height and weight" and "his height and weight".
func ownAttributes(q []word, start int) [][]word {
	own := -1
	for i := start; i+1 < len(q); i++ {
		if q[i].norm == "'s" && !q[i].quoted || i == start && q[i].is("his", "her", "its", "their") {
			own = i + 1
			break
		}
	}
	if own < 0 {
		return nil
	}
	items := listItems(q[own:])
	if len(items) < 2 {
		return nil
	}
	var out [][]word
	for _, item := range items {
		out = append(out, catWords(heading(q[:start]), q[start:own], spacedWords(item)))
	}
	return out
}

// heading is "what are" brought to the singular.
func heading(ws []word) []word {
	out := append([]word(nil), ws...)
	last := &out[len(out)-1]
	if s := singularAux(last.norm); s != last.norm {
		last.text, last.norm = s, s
	}
	return out
}

// listItems cuts "A, B and C" into noun phrases; nil where it is anything but
// a list of them, or where "and" may stand inside of a name.
func listItems(ws []word) [][]word {
	if len(ws) > 16 || len(ws) < 3 {
		return nil
	}
	var items [][]word
	from, ands := 0, 0
	for i := range ws {
		w := &ws[i]
		if w.preposition() || w.aux() || w.wh() || w.slot > 0 || w.norm == "'s" || w.quoted {
			return nil
		}
		switch {
		case w.is("and", "&"):
			if i == 0 || i+1 == len(ws) || ws[i-1].name && ws[i+1].name {
				return nil
			}
			ands++
			if i > from {
				items = append(items, ws[from:i])
			}
			from = i + 1
		case w.comma() && i+1 < len(ws):
			items = append(items, ws[from:i+1])
			from = i + 1
		}
	}
	if ands != 1 || from >= len(ws) {
		return nil
	}
	items = append(items, ws[from:])
	for i, it := range items {
		t := trimWords(it)
		if len(t) == 0 || len(t) > 6 || len(t) == 1 && t[0].article() {
			return nil
		}
		items[i] = t
	}
	return items
}

// complete gives an elliptic part what the part before it has: "Where was
// Luther intercepted? By whom?", "Which header gives the author, and which one the
// title?"
func complete(before, part []word) []word {
	if len(part) == 0 {
		return part
	}
	if v := nextVerb(before, 1, len(before)); len(part) > 2 && part[0].is("which", "what") && part[1].is("one", "the") && v > 0 && nextVerb(part, 1, len(part)) < 0 {
		rest := part[1:]
		if part[1].is("one") {
			rest = part[2:]
		}
		return catWords(before[:v+1], spacedWords(rest))
	}
	if len(part) > 4 {
		return part
	}
	wh := -1
	for i := range part {
		switch {
		case part[i].wh():
			wh = i
		case part[i].preposition(), part[i].is("and", "year", "one"):
		default:
			return part
		}
	}
	if wh < 0 {
		return part
	}
	if part[0].is("and") {
		part = part[1:]
	}
	for i := range before {
		if before[i].aux() && i > 0 {
			head := trimWords(part)
			if len(head) == 0 {
				return part
			}
			head[len(head)-1].post = strings.TrimRight(head[len(head)-1].post, "?")
			return catWords(head, spacedWords(before[i:]))
		}
	}
	return part
}
