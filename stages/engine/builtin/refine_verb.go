package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// A frame says what the question around a description still lacks, and so
// where the description's clause must end.
type frame uint8

const (
	frameNone frame = iota // nothing: the clause runs on
	frameBase              // a verb in base form: "When did the city where … fall"
	frameBe                // perhaps a predicate: "Where was the film that … made"
	frameAny               // a verb: "The city where … is in which part"
)

// frameOf returns the frame of the description that starts at word i.
func frameOf(q []word, i int) frame {
	if i == 0 {
		return frameAny
	}
	for k := i - 1; k >= 0; k-- {
		w := &q[k]
		if w.relative() {
			return frameAny // the subject of a clause, whose verb follows
		}
		if w.aux() {
			switch {
			case w.is("did", "do", "does", "will", "would", "can", "could", "should", "might"):
				return frameBase
			case lang.IsBe(w.norm) || w.is("has", "have", "had"):
				return frameBe
			}
		}
		if !w.names() && w.verb&^lang.VerbIng != 0 && verbAt(q, k) {
			return frameNone
		}
	}
	return frameAny
}

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

// clauseEnd returns where the clause that starts at c ends. done says that it
// has its verb already, as participial ones do.
func clauseEnd(q []word, c int, f frame, done bool) int {
	own := -1 // the end of the clause's verb group
	if done {
		own = c
	}
	late := -1 // a participle that may yet be the predicate
	for j := c; j < len(q); {
		if j > c && own >= 0 && q[j-1].comma() && !continues(q, j) {
			return j
		}
		if !verbAt(q, j) {
			j++
			continue
		}
		end := verbEnd(q, j)
		if own < 0 {
			own = end
			j = end
			continue
		}
		joined := j > c && (q[j-1].is("and", "or", "to", "but") || q[j-1].relative() || q[j-1].norm == "not")
		switch {
		case joined:
		case f == frameAny && !reduced(q, j):
			return j
		case f == frameBase && q[j].verb&lang.VerbBase != 0:
			return j
		case f == frameBe && predicate(q, j, end):
			return j
		case f == frameBe && reduced(q, j) && q[0].is("when", "where", "how", "why"):
			late = j
		}
		j = end
	}
	if late >= 0 {
		return late
	}
	return len(q)
}

// reduced reports whether the verb at j is a participle that belongs to the
// noun before it: "the album recorded by X".
func reduced(q []word, j int) bool {
	return q[j].verb&lang.VerbParticiple != 0 && !q[j].aux() && j+1 < len(q) && q[j+1].is("by", "as") && j+2 < len(q)
}

// predicate reports whether the verb group q[j:end] can be what a question
// with be asks about its subject: a participle near the end.
func predicate(q []word, j, end int) bool {
	if q[j].aux() || q[j].verb&(lang.VerbParticiple|lang.VerbIng) == 0 || reduced(q, j) {
		return false
	}
	rest := len(q) - end
	return rest == 0 || rest <= 5 && q[end].preposition()
}

// continues reports whether what follows a comma at word j belongs to the same
// clause: a name that goes on, or the rest of a list.
func continues(q []word, j int) bool {
	if q[j].quoted && q[j-1].quoted {
		return true
	}
	if goesOnAfterComma(&q[j]) && q[j].name && q[j-1].name {
		return true
	}
	if q[j].is("and", "or") {
		return j+1 < len(q) && q[j+1].names()
	}
	// "Lawrence, Kansas"; a title with commas
	return q[j].name && q[j-1].names()
}

// whTail returns the question word of a question that has it in its middle or at
// its end ("X was founded in what year"), or -1.
func whTail(q []word) int {
	if len(q) == 0 || q[0].wh() || q[0].aux() || len(q) > 1 && q[0].preposition() && q[1].wh() {
		return -1
	}
	for k := len(q) - 1; k > 0; k-- {
		if !q[k].wh() {
			continue
		}
		if q[k-1].comma() && k+1 < len(q) {
			return -1 // "In the film X, who played …": the question starts here
		}
		if q[k].is("what", "how") || nextVerb(q, k+1, len(q)) < 0 {
			return k
		}
	}
	return -1
}

func isTail(q []word, k int) bool { return whTail(q) == k }

func isTailBetween(q []word, from, to int) bool {
	t := whTail(q)
	return t >= from && t < to
}
