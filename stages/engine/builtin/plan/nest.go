package plan

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
)

// maxNested bounds the words of a description, maxStretches those that are weighed.
const (
	maxNested    = 40
	maxStretches = 2000
)

// innermost returns the description in q to ask for first; false if nothing more is
// nested in it. The stretch whose weights are the largest in sum is chosen, against
// there being none.
func (l *Planner) innermost(q []word) (best stretch, ok bool) {
	o := observe(q)
	f := make(linear.Features, 0, 96)
	top := l.nests.Score(o.none(f))
	for _, s := range stretches(q) {
		if v := l.nests.Score(o.description(f, s)); v > top {
			best, top, ok = s, v, true
		}
	}
	return best, ok
}

// stretches returns the stretches of q that may describe something: what begins and
// ends as phrases do, says something that a search could find, and leaves something
// to be asked of it.
func stretches(q []word) []stretch {
	var out []stretch
	for i := range q {
		if !begins(q, i) {
			continue
		}
		open := i + opensAt(q[i:])
		names, says := 0, 0
		for j := i; j < min(len(q), i+maxNested) && len(out) < maxStretches && (j == i || !endsSentence(q, j-1)); j++ {
			w := &q[j]
			if w.names() {
				names++
			} else if !lang.IsStop(w.norm) && w.norm != "'s" {
				says++
			}
			if j == i || says == 0 || names == 0 && says < 3 || !ends(q, j) || bareAround(q, i, j+1) {
				continue
			}
			if open > j && !lang.IsRelation(w.norm) { // a name, and what kind of thing it is
				continue
			}
			if i > 0 && open <= j && states(q, i, open) {
				break
			}
			out = append(out, stretch{i, j + 1})
		}
	}
	return out
}

// begins reports whether a description may begin with word i.
func begins(q []word, i int) bool {
	w := &q[i]
	if w.preposition() || w.aux() || w.wh() || w.relative() || w.norm == "'s" || w.is("and", "or", "not", "to", "by") {
		return false
	}
	if i == 0 {
		return true
	}
	prev := &q[i-1]
	if prev.article() || !w.names() && w.verb&(lang.VerbPast|lang.VerbParticiple) != 0 {
		return false
	}
	within := prev.name && prev.quoted == w.quoted && !prev.comma() || i > 1 && particle(prev) && q[i-2].name
	return !within || !w.name
}

// ends reports whether a description may end with word i.
func ends(q []word, i int) bool {
	w := &q[i]
	if w.article() || w.aux() || w.relative() || w.wh() || w.norm == "'s" || w.is("and", "or") || w.is("of") && i+1 < len(q) && !verbAt(q, i+1) {
		return false
	}
	return i+1 == len(q) || !w.name || !q[i+1].name || w.quoted != q[i+1].quoted || w.comma()
}

// endsSentence reports whether a sentence of several ends with word i.
func endsSentence(q []word, i int) bool {
	within := i+1 < len(q) && q[i].name && q[i+1].name // "2001: A Space Odyssey"
	return strings.ContainsAny(q[i].post, "?!;:.") && !within
}

// states reports whether what begins at word i is a statement by its verb, word open,
// and no description: "New Perry died".
func states(q []word, i, open int) bool {
	w := &q[open]
	switch {
	case w.aux():
		return true
	case w.names() || w.relative():
		return false
	case allNames(q[i:open]) && w.verb&(lang.VerbPast|lang.VerbThird) != 0:
		return true
	}
	return w.verb&lang.VerbPast != 0 && w.verb&lang.VerbParticiple == 0
}

// bareAround reports whether nothing is asked of q[from:to] but what it is, or no more
// than "when did".
func bareAround(q []word, from, to int) bool {
	is, does := true, true
	for k := range q {
		if k < from || k >= to {
			is = is && q[k].is("who", "what", "whom", "whos", "which", "is", "was", "are", "were", "the", "name", "names", "of", "full")
			does = does && (q[k].wh() || q[k].is("did", "do", "does"))
		}
	}
	return is || does
}

// opensAt returns where in a description that is said which begins of what: at "of", a
// relative clause, a participle, the mark of a possessor; the length of d if nothing is.
func opensAt(d []word) int {
	for k := 1; k < len(d); k++ {
		w := &d[k]
		if w.relative() || w.preposition() || w.aux() || w.article() || w.norm == "'s" || bareApostrophe(&d[k-1]) {
			return k
		}
		if k > 1 && (w.names() && !d[k-1].names() && !d[k-1].article() ||
			!w.names() && (w.verb&lang.VerbIng != 0 || w.verb&(lang.VerbPast|lang.VerbParticiple) != 0 && verbAt(d, k))) {
			return k
		}
	}
	return len(d)
}
