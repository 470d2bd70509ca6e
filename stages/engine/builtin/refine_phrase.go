package builtin

import (
	"hopstream/index/lang"
)

// phrase is a description inside a question that can be asked for on its own:
// "the county where Van Hook Township is located".
type phrase struct {
	from, to int      // the words it covers
	asks     [][]word // how to ask for it; a second question builds on the first
	place    bool     // it stands for a place
	// rest replaces the question altogether, where the question word stands
	// inside of the description: "… a band that disbanded in what year".
	rest []word
}

// innermost returns the reducible phrase of q that starts furthest right: as
// English nests to the right, nothing inside of it is reducible. slot is the
// number of the step its question becomes.
func innermost(q []word, slot int) (phrase, bool) {
	for i := len(q) - 1; i >= 0; i-- {
		w := &q[i]
		var p phrase
		var ok bool
		switch {
		case possessive(q, i):
			p, ok = possessed(q, i, slot)
		case w.article():
			p, ok = described(q, i, slot)
		case !w.name && lang.IsRelation(w.norm):
			p, ok = bareRelation(q, i, slot)
		}
		if ok && p.to > p.from {
			return p, true
		}
	}
	return phrase{}, false
}

// possessive reports whether the possessor of something ends before word i:
// at a 's, or behind a name in s with an apostrophe.
func possessive(q []word, i int) bool {
	if i == 0 || i+1 >= len(q) {
		return false
	}
	return q[i].norm == "'s" && !q[i].quoted || bareApostrophe(&q[i-1])
}

// possessed reads "X's father" whose 's is word i.
func possessed(q []word, i, slot int) (phrase, bool) {
	head, owner := i, i // owner ends before owner
	if q[i].norm == "'s" {
		head = i + 1
	}
	to := relationEnd(q, head)
	if to < 0 || to < len(q) && (q[to].name && q[to-1].post == "" && !possessive(q, to) || q[to].is("of")) {
		return phrase{}, false
	}
	if q[owner-1].is("men", "women", "children", "people", "world", "master", "bachelor") {
		return phrase{}, false
	}
	from := ownerStart(q, owner-1)
	if from < 0 {
		return phrase{}, false
	}
	p := phrase{from: from, to: to}
	who := trimOwner(q[from:owner])
	if from > 0 && q[from-1].is("the") { // "the Deane Waldo Malott's alma mater"
		p.from--
	}
	p.asks = askRelation(who, q[head:to], slot)
	p.place = lang.IsPlace(q[to-1].norm)
	return p, true
}

// relationEnd returns where the relation noun that begins at i, with its
// adjectives, ends; -1 if there is none.
func relationEnd(q []word, i int) int {
	for j := i; j < len(q) && j < i+4; j++ {
		w := &q[j]
		if w.names() || w.verb&(lang.VerbPast|lang.VerbThird) != 0 && !lang.IsRelation(w.norm) || w.preposition() || w.aux() {
			return -1
		}
		if j+1 < len(q) && w.post == "" {
			switch w.norm + " " + q[j+1].norm {
			case "alma mater", "birth city", "birth place", "work location", "home town", "home city", "birth country",
				"record label", "home country", "resting place", "burial place", "parent company":
				return j + 2
			case "place of", "country of", "city of", "location of":
				if j+2 < len(q) && q[j+2].is("birth", "death", "burial", "origin", "citizenship", "formation") {
					return j + 3
				}
			}
		}
		if lang.IsRelation(w.norm) {
			return j + 1
		}
		if w.post != "" {
			return -1
		}
	}
	return -1
}

// bareRelation reads "director of film X" without an article, at word i.
func bareRelation(q []word, i, slot int) (phrase, bool) {
	if i+2 >= len(q) || !q[i+1].is("of") || q[i].post != "" {
		return phrase{}, false
	}
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		if q[k].article() || q[k].norm == "'s" {
			return phrase{}, false // the article's, or the possessor's, to read
		}
		if q[k].names() || q[k].preposition() || q[k].aux() || q[k].wh() {
			break
		}
	}
	return ofPhrase(q, i, i, slot)
}

// ofPhrase reads "[the] father of X" that starts at from and whose relation
// noun is word h.
func ofPhrase(q []word, from, h, slot int) (phrase, bool) {
	i := h + 2
	start := i
	for i < len(q) && i < start+4 && (q[i].article() || kindWord(&q[i]) || !q[i].names() && q[i].verb == 0 && !lang.IsStop(q[i].norm)) && q[i].post == "" {
		i++
	}
	to := nameEnd(q, i)
	if i >= len(q) || to == i {
		return phrase{}, false
	}
	if i > start && q[i-1].is("the") && headed(q, to) { // "the designer of the Marrow ferry"
		to++
	}
	if q[to-1].comma() && allNames(q[to:]) { // "the director of film Up, Down, Fragile"
		to = len(q)
	}
	if to+1 < len(q) && q[to].norm == "'s" && !q[to+1].is("birthday", "nationality", "age", "death", "birth", "occupation", "citizenship", "religion") {
		return phrase{}, false // the owner of something else
	}
	first := from
	if q[first].article() {
		first++
	}
	return phrase{from: from, to: to, asks: askRelation(q[start:to], q[first:h+1], slot), place: lang.IsPlace(q[h].norm)}, true
}

// headed reports whether word at is the common noun at the head of the name
// before it, and not the question's verb.
func headed(q []word, at int) bool {
	if at >= len(q) || q[at-1].post != "" || q[at-1].quoted {
		return false
	}
	w := &q[at]
	return !w.names() && w.verb == 0 && w.norm != "'s" && !w.preposition() && !w.aux() && !w.relative() && !lang.IsStop(w.norm)
}

// askRelation asks for the relation (with its adjectives) of owner; a relative
// by two steps becomes two questions.
func askRelation(owner, relation []word, slot int) [][]word {
	head := relation[len(relation)-1].norm
	side := ""
	if len(relation) > 1 {
		side = relation[0].norm
	}
	own := trimWords(owner)
	own[0].space = true
	if steps := lang.Kin(head, side); steps != nil {
		return [][]word{
			catWords(plainWords("who is the "+steps[0]+" of"), own),
			catWords(plainWords("who is the "+steps[1]+" of"), []word{slotWord(slot)}),
		}
	}
	ask := "what is the"
	if lang.IsRole(head) {
		ask = "who is the"
	}
	rel := trimWords(relation)
	rel[0].space = true
	return [][]word{catWords(plainWords(ask), rel, plainWords("of"), own)}
}
