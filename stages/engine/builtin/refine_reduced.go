package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// participle reports whether word j opens a reduced relative clause.
func participle(q []word, j int) bool {
	w := &q[j]
	if w.names() || j+1 >= len(q) || q[j-1].names() || q[j-1].post != "" {
		return false
	}
	prev := &q[j-1]
	if prev.verb&(lang.VerbPast|lang.VerbIng) != 0 || lang.Ordinals(prev.norm) || prev.is("most", "least", "first") {
		return false
	}
	next := &q[j+1]
	switch {
	case w.verb&lang.VerbIng != 0:
		return next.names() || next.article() || next.preposition() && !next.is("of") || next.is("his", "her", "its")
	case w.verb&lang.VerbParticiple != 0:
		return next.is("by", "in", "at", "on", "from", "to", "for", "as", "with", "after", "near")
	}
	return false
}

// participial reads "the film directed by X" from word i, whose participle is
// word j.
func participial(q []word, i, j int) (phrase, bool) {
	to := clauseEnd(q, j+1, frameOf(q, i), true)
	if !saysMuch(q[j:to]) && !isTailBetween(q, i, to) {
		return phrase{}, false
	}
	p := phrase{from: i, to: to, place: lang.IsPlace(q[j-1].norm)}
	be := "was"
	if q[j].verb&lang.VerbIng != 0 {
		be = "is"
	}
	verb := plainWords(be + " " + q[j].text)
	if base, f := lang.Verb(q[j].norm); f&lang.VerbIng != 0 && base != "" {
		if verb = plainWords(lang.Third(base)); strings.HasSuffix(q[j-1].norm, "s") {
			verb = plainWords(base)
		}
	}
	return finishClause(q, p, whichNoun(q[i+1:j]), catWords(verb, q[j+1:to]))
}

// withPhrase reads "the religion with the sacred site X".
func withPhrase(q []word, i, j int) (phrase, bool) {
	to := clauseEnd(q, j+1, frameOf(q, i), true)
	if !saysMuch(q[j:to]) && !isTailBetween(q, i, to) || !plainNoun(q[i+1:j]) || i > 0 && !q[i-1].aux() && q[i-1].verb != 0 {
		return phrase{}, false
	}
	return finishClause(q, phrase{from: i, to: to, place: lang.IsPlace(q[j-1].norm)}, whichNoun(q[i+1:j]), catWords(plainWords("has"), q[j+1:to]))
}

func superlativeWord(w *word) bool {
	if w.names() {
		return false
	}
	return w.norm == "most" || len(w.norm) > 5 && strings.HasSuffix(w.norm, "est") && w.verb == 0 && !w.is("forest", "harvest", "interest", "request", "protest", "contest", "northwest", "southwest", "midwest")
}

// superlative reads "the largest city in X" from word i; its preposition is
// word j.
func superlative(q []word, i, j int) (phrase, bool) {
	k := j + 1
	for k < len(q) && k < j+3 && (q[k].article() || kindWord(&q[k])) {
		k++
	}
	to := nameEnd(q, k)
	if k >= len(q) || to == k || q[k].text != "" && q[k].text[0] <= '9' || q[i+1].is("most") && j == i+3 {
		return phrase{}, false
	}
	if to+1 < len(q) && q[to].is("by") && q[to+1].is("population", "area", "size") {
		to += 2
	}
	return phrase{from: i, to: to, asks: [][]word{catWords(plainWords("what is"), spacedWords(q[i:to]))}, place: lang.IsPlace(q[j-1].norm)}, true
}

// sameAs reads "the same county as X" from word i: the county X is in.
func sameAs(q []word, i int) (phrase, bool) {
	j := i + 2
	for j < len(q) && j < i+5 && !q[j].is("as") {
		j++
	}
	to := nameEnd(q, min(j+1, len(q)))
	if j >= len(q) || j == i+2 || to <= j+1 || !lang.IsPlace(q[j-1].norm) {
		return phrase{}, false
	}
	ask := catWords(plainWords("in which"), spacedWords(q[i+2:j]), plainWords("is"), spacedWords(trimWords(q[j+1:to])), plainWords("located"))
	return phrase{from: i, to: to, asks: [][]word{ask}, place: true}, true
}

// extraposed reads "When was the N born who …": the clause stands behind the
// predicate, word j.
func extraposed(q []word, i, j int) (phrase, bool) {
	if !saysMuch(q[j+2:]) || !verbAt(q, j+2) {
		return phrase{}, false
	}
	p := phrase{from: i, to: len(q), asks: [][]word{catWords(whichNoun(q[i+1:j]), spacedWords(q[j+2:]))}}
	p.rest = catWords(q[:i], []word{slotWord(-1)}, q[j:j+1])
	return p, true
}
