package builtin

import (
	"strings"
	"unicode"

	"hopstream/index/lang"
)

// described reads the noun phrase whose article is word i, if a relative
// clause, a participle, a relation or a superlative makes it a description.
func described(q []word, i, slot int) (phrase, bool) {
	if i+1 < len(q) && q[i+1].name && (q[i+1].quoted || !unicode.IsLower(firstRune(q[i+1].text))) { // "the Changes Two performer"
		if end := nameEnd(q, i+1); end < len(q) && q[end-1].post == "" && !q[end].name && lang.IsRole(q[end].norm) &&
			!q[end].comma() && !(end == i+2 && lang.CountryOf(q[i+1].norm) != "") &&
			(end+1 == len(q) || !q[end+1].is("of", "born") && !q[end+1].name && !q[end+1].relative()) {
			return phrase{from: i, to: end + 1, asks: askRelation(q[i+1:end], q[end:end+1], slot)}, true
		}
	}
	if i+1 < len(q) && q[i+1].is("same") {
		return sameAs(q, i)
	}
	super := false
	for j := i + 1; j < len(q) && j <= i+10; j++ {
		w := &q[j]
		if j > i+1 {
			head := q[i+1 : j]
			switch {
			case w.relative():
				return relClause(q, i, j, j+1, w, nil)
			case w.preposition() && j+1 < len(q) && q[j+1].is("which", "whom", "whose") && !isTail(q, j+1):
				return relClause(q, i, j, j+2, &q[j+1], w)
			case w.is("of") && (lang.IsRelation(q[j-1].norm) || q[j-1].is("member") && q[j-2].is("cast")) && !q[j-1].names():
				return ofPhrase(q, i, j-1, slot)
			case w.is("of") && j+2 < len(q) && q[j+1].is("birth", "death", "burial", "origin", "citizenship") && q[j+2].is("of"):
				p, ok := ofPhrase(q, i, j+1, slot)
				p.place = !q[j-1].is("date", "cause", "year")
				return p, ok
			case w.preposition() && super:
				return superlative(q, i, j)
			case j+2 < len(q) && w.verb&lang.VerbParticiple != 0 && q[j+1].relative() && i > 0 && lang.IsBe(q[i-1].norm):
				return extraposed(q, i, j)
			case participle(q, j):
				return participial(q, i, j)
			case (w.names() || w.article() && !w.is("a", "an")) && plainNoun(head) && !super && classNoun(&head[len(head)-1]):
				return zeroRelative(q, i, j)
			case w.is("with") && j+1 < len(q) && !super:
				return withPhrase(q, i, j)
			}
		}
		if w.preposition() && !w.is("of") || w.aux() || w.relative() || w.article() || w.wh() || w.slot > 0 ||
			w.norm == "'s" || w.is("and", "or") || w.post == "?" {
			return phrase{}, false
		}
		super = super || superlativeWord(w)
		if w.comma() && !(j+1 < len(q) && (q[j+1].relative() || q[j+1].preposition())) {
			if j+1 < len(q) && !q[j+1].is("and") && lang.IsRole(q[j].norm) { // "the American singer, songwriter … who"
				continue
			}
			return phrase{}, false
		}
	}
	return phrase{}, false
}

// plainNoun reports whether head ends in a common noun: what follows may then
// be a clause without its relative pronoun.
func plainNoun(head []word) bool {
	w := &head[len(head)-1]
	return !w.names() && w.verb&(lang.VerbPast|lang.VerbParticiple) == 0 && w.post == "" && !lang.IsStop(w.norm)
}

// classNoun reports whether w names a class of things so plainly that a name
// right behind it can only open a clause: "the team Jose Cancela was in".
func classNoun(w *word) bool {
	return lang.IsPlace(w.norm) || lang.IsRelation(w.norm) || kindWord(w) || w.is("club", "school", "university", "college", "character", "network",
		"party", "league", "river", "mountain", "award", "person", "war", "battle", "event", "station", "airport", "ship", "agency",
		"organization", "year", "position", "language", "instrument", "genre", "role", "man", "woman", "actor", "actress")
}

// zeroRelative reads "the team Jose Cancela was a member of", whose clause
// starts at word j.
func zeroRelative(q []word, i, j int) (phrase, bool) {
	k := nextVerb(q, j, len(q))
	if k < 0 || k > j+12 || k == j || q[k-1].comma() {
		return phrase{}, false
	}
	for x := j; x < k; x++ { // a preposition here belongs to the question, not to a name
		if q[x].wh() || q[x].comma() || q[x].norm == "'s" || q[x].preposition() && !q[x].is("of", "in") {
			return phrase{}, false
		}
	}
	if workWord(&q[j-1]) && q[j].names() && !q[k].aux() && q[k].verb&lang.VerbParticiple != 0 {
		return phrase{}, false // "the song The Story sung by": the name is the song's
	}
	if f := frameOf(q, i); f == frameAny || f == frameBase || f == frameBe && q[i-1].aux() { // the verb is the question's own, unless another follows
		end := verbEnd(q, k)
		if nextVerb(q, end, len(q)) < 0 {
			return phrase{}, false
		}
	}
	return relClause(q, i, j, j, nil, nil)
}

// relClause reads "the N <rel> clause": its noun phrase starts at word i, its
// head ends before j, the clause starts at c. prep is the preposition fronted
// with the relative pronoun.
func relClause(q []word, i, j, c int, rel, prep *word) (phrase, bool) {
	to := clauseEnd(q, c, frameOf(q, i), false)
	head := q[i+1 : j]
	v := nextVerb(q, c, to)
	if v < 0 || len(head) == 0 || !saysMuch(q[c:to]) && !isTailBetween(q, i, to) || len(head) > 1 && head[len(head)-1].name {
		return phrase{}, false
	}
	p := phrase{from: i, to: to, place: lang.IsPlace(head[len(head)-1].norm)}
	noun := whichNoun(head)
	if v == c || v == c+1 && (strings.HasSuffix(q[c].norm, "ly") || q[c].is("also", "first")) {
		if rel != nil && rel.is("whose") {
			return phrase{}, false
		}
		return finishClause(q, p, noun, q[c:to])
	}
	if rel != nil && rel.is("whose") {
		return finishClause(q, p, catWords(noun, []word{{text: "'s", norm: "'s"}}), q[c:to])
	}
	if isTailBetween(q, i, to) {
		return phrase{}, false
	}
	front := ""
	last := &q[to-1]
	switch {
	case prep != nil:
		front = prep.text
	case rel != nil && rel.is("where", "when") && !last.preposition():
		front = "in"
	}
	ask := invert(q, c, v, to)
	if front != "" {
		ask = catWords(plainWords(front), noun, ask)
	} else {
		ask = catWords(noun, ask)
	}
	p.asks = [][]word{ask}
	return p, true
}

// finishClause asks for a description whose head is the subject of its clause. When
// the question word stands in the clause, the description is asked for with
// the words before it, and the clause becomes the rest.
func finishClause(q []word, p phrase, noun, clause []word) (phrase, bool) {
	if isTailBetween(q, p.from, p.to) {
		if p.from == 0 || p.to < len(q) && !q[p.to-1].comma() {
			return phrase{}, false
		}
		p.asks = [][]word{catWords(q[:p.from], noun)}
		p.rest = catWords([]word{slotWord(-1)}, spacedWords(clause), q[p.to:])
		return p, true
	}
	p.asks = [][]word{catWords(noun, spacedWords(clause))}
	return p, true
}

// whichNoun asks for a noun: "which film", or "who" for a bare person.
func whichNoun(head []word) []word {
	if len(head) == 1 && head[0].is("person", "people", "man", "woman", "individual", "one", "someone") {
		return plainWords("who")
	}
	h := trimWords(head)
	h[0].space = true
	return catWords(plainWords("which"), h)
}

// spacedWords returns ws with white space before its first word.
func spacedWords(ws []word) []word {
	out := append([]word(nil), ws...)
	if len(out) > 0 {
		out[0].space = true
	}
	return out
}

// saysMuch reports whether ws says anything that a search could find.
func saysMuch(ws []word) bool {
	content := 0
	for i := range ws {
		if ws[i].names() {
			return true
		}
		if !lang.IsStop(ws[i].norm) && !commonWord(ws[i].norm) {
			return true
		}
		if !lang.IsStop(ws[i].norm) {
			content++
		}
	}
	return content >= 3
}

// invert turns the clause q[c:to], whose verb is word v, into a question's
// word order: its auxiliary, or a form of do, before its subject.
func invert(q []word, c, v, to int) []word {
	subject := q[c:v]
	if q[v].aux() {
		return catWords(spacedWords(q[v:v+1]), spacedWords(subject), q[v+1:to])
	}
	base, form := lang.Verb(q[v].norm)
	do := "did"
	switch {
	case base == "":
		return catWords(spacedWords(subject), q[v:to])
	case form&(lang.VerbPast|lang.VerbParticiple) != 0:
	case form&lang.VerbThird != 0:
		do = "does"
	default:
		do = "do"
	}
	verb := q[v]
	verb.text, verb.norm = base, base
	return catWords(plainWords(do), spacedWords(subject), []word{verb}, q[v+1:to])
}
