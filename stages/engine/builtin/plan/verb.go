package plan

import (
	"strings"

	"hopstream/index/lang"
)

// verbAt reports whether word k is a verb, given what stands around it.
func verbAt(q []word, k int) bool {
	w := &q[k]
	if w.names() {
		return false
	}
	if w.aux() {
		return true
	}
	if w.verb&^lang.VerbIng == 0 {
		return false
	}
	if k == 0 {
		return w.verb&(lang.VerbBase) != 0
	}
	prev := &q[k-1]
	if prev.comma() {
		return true
	}
	if prev.article() || prev.norm == "'s" || prev.is("of", "his", "her", "its", "their") || prev.is("what", "which") && w.verb&lang.VerbPast == 0 && (k == 1 || q[k-2].preposition()) {
		return false
	}
	if w.verb&(lang.VerbPast|lang.VerbParticiple) != 0 {
		// "the dominant released album": a participle before a noun
		return !(prev.preposition() && w.verb&lang.VerbPast != 0 && k+1 < len(q) && !q[k+1].names() && !q[k+1].preposition() && !q[k+1].aux()) || w.verb&lang.VerbBase != 0
	}
	// Forms that may be nouns: not behind prepositions, adjectives, ordinals.
	if prev.preposition() && k > 1 && !q[k-2].names() && q[k-2].verb&lang.VerbPast != 0 && w.verb&lang.VerbBase != 0 {
		return true // a stranded preposition: "the team he played for belong to"
	}
	if prev.preposition() && !prev.is("to") || lang.Ordinals(prev.norm) || strings.HasSuffix(prev.norm, "al") || strings.HasSuffix(prev.norm, "ic") {
		return false
	}
	return true
}

// verbEnd returns where the verb group that starts at k ends: auxiliaries and
// adverbs, then one verb.
func verbEnd(q []word, k int) int {
	j := k
	for j < len(q) {
		w := &q[j]
		switch {
		case w.aux() || w.is("not", "also", "never", "later", "originally") || j > k && !w.names() && strings.HasSuffix(w.norm, "ly"):
			if w.comma() {
				return j + 1
			}
			j++
			continue
		case !w.names() && w.verb != 0 && (j == k || w.verb&(lang.VerbParticiple|lang.VerbIng|lang.VerbBase) != 0):
			return j + 1
		}
		return max(j, k+1)
	}
	return j
}

// nextVerb returns the first verb in q[from:to], or -1.
func nextVerb(q []word, from, to int) int {
	for k := from; k < to; k++ {
		if verbAt(q, k) {
			return k
		}
	}
	return -1
}

func superlativeWord(w *word) bool {
	if w.names() {
		return false
	}
	return w.norm == "most" || len(w.norm) > 5 && strings.HasSuffix(w.norm, "est") && w.verb == 0 && !w.is("forest", "harvest", "interest", "request", "protest", "contest", "northwest", "southwest", "midwest")
}
