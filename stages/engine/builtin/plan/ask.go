package plan

import (
	"strings"

	"hopstream/index/lang"
)

// asksFor asks for a description that becomes step slot: "who is the father of X",
// "which film was directed by X", and of a statement which one it leaves open. A
// relative by two steps becomes two questions.
func asksFor(d []word, slot int) [][]word {
	d = spacedWords(trimWords(d))
	if k := ownedFrom(d); k > 0 {
		return askRelation(trimOwner(d[:k]), d[k+strings.Count(d[k].norm, "'s"):], slot)
	}
	open := opensAt(d)
	if open == len(d) {
		what := withoutArticle(d)
		if n := len(what) - 1; n > 0 && allNames(what[:n]) && lang.IsRelation(what[n].norm) && lang.CountryOf(what[0].norm) == "" { // "the Changes Two performer"
			return askRelation(what[:n], what[n:], slot)
		}
		return [][]word{catWords(plainWords(isWhat(d[open-1].norm)), d)}
	}
	switch w := &d[open]; {
	case w.is("of") && open+1 < len(d):
		return askRelation(d[open+1:], withoutArticle(d[:open]), slot)
	case states(d, 0, open):
		return [][]word{askOpen(d, open)}
	}
	return [][]word{askClause(withoutArticle(d[:open]), d[open:])}
}

// ownedFrom returns where behind a possessor what is theirs begins, if d ends with it: at
// the mark, or behind a bare apostrophe; 0 if it does not.
func ownedFrom(d []word) int {
	for k := len(d) - 1; k > 0; k-- {
		w := &d[k]
		switch {
		case w.norm == "'s" && k+1 < len(d), bareApostrophe(&d[k-1]):
			return k
		case w.names() || w.preposition() || w.aux() || w.verb != 0 && !lang.IsRelation(w.norm):
			return 0
		}
	}
	return 0
}

func isWhat(norm string) string {
	if lang.IsRole(norm) {
		return "who is"
	}
	return "what is"
}

func withoutArticle(ws []word) []word {
	if len(ws) > 1 && ws[0].article() {
		return ws[1:]
	}
	return ws
}

// askRelation asks for the relation (with its adjectives) of owner; a relative
// by two steps becomes two questions.
func askRelation(owner, relation []word, slot int) [][]word {
	head := relation[len(relation)-1].norm
	own, rel := spacedWords(trimWords(owner)), spacedWords(trimWords(relation))
	side := ""
	if len(relation) > 1 {
		side = relation[0].norm
	}
	if steps := lang.Kin(head, side); steps != nil {
		return [][]word{
			catWords(plainWords("who is the "+steps[0]+" of"), own),
			catWords(plainWords("who is the "+steps[1]+" of"), []word{slotWord(slot)}),
		}
	}
	return [][]word{catWords(plainWords(isWhat(head)+" the"), rel, plainWords("of"), own)}
}

// askOpen asks what a statement, whose verb is word verb, leaves open: "X was formed by
// a company" gives "X was formed by which company".
func askOpen(d []word, verb int) []word {
	for k := len(d) - 1; k > verb; k-- {
		switch {
		case d[k].is("someone", "somebody"), k+2 == len(d) && d[k+1].is("person", "man", "woman", "people") && d[k].article():
			return catWords(d[:k], plainWords("whom"))
		case k+1 < len(d) && (d[k].article() || d[k].is("one", "his", "her", "another", "some")):
			return catWords(d[:k], plainWords("which"), d[k+1:])
		}
	}
	return catWords(plainWords("what is"), d)
}

// askClause asks for head, of which clause says more.
func askClause(head, clause []word) []word {
	noun := whichNoun(head)
	w, rest := &clause[0], clause[1:]
	switch {
	case w.preposition() && len(rest) > 1 && rest[0].relative():
		return catWords(clause[:1], noun, inQuestionOrder(rest[1:]))
	case w.is("whose"):
		return catWords(noun, ownMark, rest)
	case w.names() && nextVerb(clause, 0, len(clause)) > 0: // "the team X played for"
		return catWords(noun, inQuestionOrder(clause))
	case w.relative() && len(rest) > 0:
		if verbAt(clause, 1) {
			return catWords(noun, rest)
		}
		if ask := inQuestionOrder(rest); !w.is("where", "when") || rest[len(rest)-1].preposition() {
			return catWords(noun, ask)
		} else {
			return catWords(plainWords("in"), noun, ask)
		}
	case w.verb&lang.VerbParticiple != 0:
		return catWords(noun, plainWords("was"), clause)
	case w.verb&lang.VerbIng != 0:
		if base, _ := lang.Verb(w.norm); base != "" {
			return catWords(noun, plainWords(lang.Third(base)), rest)
		}
		return catWords(noun, plainWords("is"), clause)
	case w.is("with"):
		return catWords(noun, plainWords("has"), rest)
	}
	return catWords(plainWords(isWhat(head[len(head)-1].norm)+" the"), spacedWords(head), clause)
}

// whichNoun asks for a noun: "which film", or "who" for a bare person.
func whichNoun(head []word) []word {
	if len(head) == 1 && head[0].is("person", "people", "man", "woman", "individual", "one", "someone") {
		return plainWords("who")
	}
	return catWords(plainWords("which"), spacedWords(trimWords(head)))
}

// inQuestionOrder puts the auxiliary of a clause, or a form of do, before its subject.
func inQuestionOrder(clause []word) []word {
	v := nextVerb(clause, 0, len(clause))
	if v < 0 {
		return clause
	}
	subject := spacedWords(clause[:v])
	if clause[v].aux() {
		return catWords(spacedWords(clause[v:v+1]), subject, clause[v+1:])
	}
	base, form := lang.Verb(clause[v].norm)
	do := "do"
	switch {
	case base == "":
		return clause
	case form&(lang.VerbPast|lang.VerbParticiple) != 0:
		do = "did"
	case form&lang.VerbThird != 0:
		do = "does"
	}
	verb := clause[v]
	verb.text, verb.norm = base, base
	return catWords(plainWords(do), subject, []word{verb}, clause[v+1:])
}

// openedBy words what is left of a question that begins with a slot: "#1 who died
// when", "#1 formed by whom".
func openedBy(q []word) []word {
	if len(q) < 3 || q[0].slot == 0 {
		return q
	}
	switch w := &q[1]; {
	case w.is("whose"):
		return catWords(q[:1], ownMark, q[2:])
	case w.is("who", "that", "which"):
		return catWords(q[:1], q[2:])
	case w.is("with"):
		return catWords(q[:1], plainWords("has"), q[2:])
	case !w.aux() && w.verb&lang.VerbParticiple != 0 && q[2].preposition():
		return catWords(q[:1], plainWords("was"), q[1:])
	}
	return q
}

// ownMark is the mark of a possessor.
var ownMark = []word{{text: "'s", norm: "'s"}}

// spacedWords returns ws with white space before its first word.
func spacedWords(ws []word) []word {
	out := append([]word(nil), ws...)
	if len(out) > 0 {
		out[0].space = true
	}
	return out
}
