package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
)

// stretch is a name of a question: the words from and before to.
type stretch struct{ from, to int }

// joint is how what stands between two names joins them, the closest last.
type joint uint8

const (
	apart   joint = iota // by other words
	listing              // by a comma
	both                 // by an "and"
	paired               // by an "and" and what belongs to the second: "and the director of"
	parted               // by a comma and an "and"
	against              // as alternatives, or one likened to the other: "or", "than", "the same … as"
)

// pairOf finds the two things that a question sets side by side, whatever the
// syntax around them: the names that are joined most closely. pred is what is left
// of the question; far says that other words stand between the two.
func pairOf(q []word) (a, b, pred []word, far bool) {
	weighs, alike, asks := compares(q), likened(q), yesOrNo(q)
	names := groupsOf(q)
	at, best := -1, apart
	for i := 0; i+1 < len(names); i++ {
		if j := jointOf(q, names[i], names[i+1], alike); j > best || at < 0 {
			at, best = i, j
		}
	}
	if at < 0 {
		return nil, nil, nil, false
	}
	left, right := names[at], names[at+1]
	for k := at - 1; k >= 0 && goesOn(q, names[k], left, best) && (nextVerb(q, 0, names[k].from) >= 0 || names[k].from < 3); k-- {
		left.from = names[k].from
	}
	for k := at + 2; k < len(names) && goesOn(q, right, names[k], best) && (asks || names[k].to == len(q) || strings.ContainsAny(q[names[k].to-1].post, ",;:")); k++ {
		right.to = names[k].to
	}
	front := q[:left.from]
	if n := len(front); n > 0 && front[n-1].is("both") {
		front = front[:n-1]
	}
	beside := len(front) > 0 && front[len(front)-1].aux() || right.to < len(q) && q[right.to].aux()
	switch {
	case best == apart && (len(names) != 2 || !alike || !asks),
		best == listing && (left.from > 2 || !weighs && (!alike || !asks)),
		best == against && !weighs && !asks,
		best > listing && best < against && (!weighs || !topical(q, left, right)) && (!alike || !beside && !(asks && (q[0].aux() || topical(q, left, right)))) && (!q[0].aux() || !light(q[1:left.from])):
		return nil, nil, nil, false
	}
	between := q[left.to:right.from]
	left.from, right.from = leadOf(q, left.from, 0), leadOf(q, right.from, left.to)
	pred = q[:left.from]
	if !light(between) {
		pred = catWords(pred, between)
	}
	if pred = catWords(pred, q[right.to:]); len(pred) < 2 {
		return nil, nil, nil, false
	}
	return q[left.from:left.to], q[right.from:right.to], pred, best == apart
}

// topical reports whether a question that weighs things is about the two names: it
// begins or ends with them, or has a comparative.
func topical(q []word, a, b stretch) bool {
	if light(q[:a.from]) || a.from < 3 && !q[0].wh() {
		return true
	}
	if b.to == len(q) && (strings.ContainsAny(q[a.from-1].post, ",:;") || q[a.from-1].is("between") || q[a.from-1].is("of") && q[a.from-2].is("out")) {
		return true
	}
	return slices.ContainsFunc(q, func(w word) bool {
		return !w.is("first", "last", "most", "least") && !superlativeWord(&w) && compares([]word{w})
	})
}

// groupsOf returns the names of a question in its order.
func groupsOf(q []word) []stretch {
	var out []stretch
	for i := 0; i < len(q); i++ {
		end := groupEnd(q, i)
		if end == i {
			continue
		}
		for end < len(q) && q[end-1].post == "" && strange(&q[end]) { // "Fantozzi va in pensione"
			if end++; end+1 < len(q) && q[end-1].post == "" && (q[end].preposition() || particle(&q[end])) && strange(&q[end+1]) {
				end++
			}
		}
		out = append(out, stretch{i, end})
		i = end - 1
	}
	return out
}

// strange reports whether English has no such word.
func strange(w *word) bool {
	return !w.names() && !lang.IsStop(w.norm) && w.verb == 0 && !joins(w) && !lang.IsWord(lang.Stem(w.norm))
}

// jointOf says how closely two names that follow each other are joined.
func jointOf(q []word, g, h stretch, alike bool) joint {
	between := q[g.to:h.from]
	var or, and, like bool
	for i := range between {
		w := &between[i]
		or = or || joins(w) && !w.is("and", "with")
		and = and || w.is("and", "with")
		like = like || w.is("than") && i > 0 && compares(between[:i]) || alike && (w.is("as") || i > 0 && w.is("of", "with") && likeness(&between[i-1]))
	}
	switch {
	case like, or && light(between):
		return against
	case !light(between):
		return apart
	case and && q[g.to-1].comma():
		return parted
	case and && len(between) > 1:
		return paired
	case and:
		return both
	case q[g.to-1].comma():
		return listing
	}
	return apart
}

// joins reports whether a word stands between two things.
func joins(w *word) bool { return w.is("and", "or", "with", "than", "versus", "vs", "against") }

// light reports whether words say nothing of their own: they join two names, or say
// what kind of thing the second is.
func light(ws []word) bool {
	for i := range ws {
		w := &ws[i]
		if !joins(w) && !w.is("to", "compared", "either", "both", "out", "'s") && !w.article() &&
			!kindWord(w) && !numeric(w) && !w.preposition() && !role(w) {
			return false
		}
	}
	return true
}

// goesOn reports whether two names that are joined less closely than the two things
// are one of them: "Luzhki, Starodubsky District and …".
func goesOn(q []word, g, h stretch, than joint) bool {
	j := jointOf(q, g, h, false)
	return h.from-g.to <= 2 && j != apart && j < than
}

// leadOf moves the beginning of a name over what kind of thing it says it is, not
// beyond floor: "the magazine Picturegoer".
func leadOf(q []word, from, floor int) int {
	k := from
	for k > floor && (kindWord(&q[k-1]) && !strings.HasSuffix(q[k-1].norm, "s") || numeric(&q[k-1])) {
		k--
	}
	if k > floor && q[k-1].is("the") {
		k--
	}
	return k
}

// groupEnd returns where the name that begins at word i ends, without going on
// over an "and" that may join two names; i if none begins there.
func groupEnd(q []word, i int) int {
	j := i
	for j < len(q) {
		w := &q[j]
		if w.name {
			j++
			if w.comma() && (j == len(q) || !goesOnAfterComma(&q[j])) {
				break
			}
			continue
		}
		if j == i || q[j-1].quoted {
			break
		}
		k := j
		for k < len(q) && k < j+3 && !q[k].name && !joins(&q[k]) && (particle(&q[k]) || q[k].preposition() || q[k].is("a", "an", "as", "'s")) && q[k].post == "" {
			k++
		}
		if k == j || k == len(q) || !q[k].name {
			break
		}
		j = k
	}
	if j == i+1 && numeric(&q[i]) {
		return i // a year says which, it is nobody's name
	}
	return j
}

func numeric(w *word) bool { return w.text != "" && w.text[0] >= '0' && w.text[0] <= '9' }

// role reports whether a word stands for a person by what they are to something:
// "director", "mothers".
func role(w *word) bool {
	return !w.names() && (lang.IsRole(w.norm) || lang.IsRole(strings.TrimSuffix(w.norm, "s"))) && !w.is("star", "stars")
}

// compares reports whether q holds a word that weighs things.
func compares(q []word) bool {
	for i := range q {
		if w := &q[i]; w.is("more", "most", "first", "last", "earlier", "later", "older", "younger", "elder", "eldest", "sooner", "fewer", "less", "least", "farther",
			"larger", "bigger", "taller", "higher", "longer", "smaller", "shorter", "greater", "deeper", "wider", "heavier",
			"lower", "newer", "faster", "closer", "richer", "hotter", "colder", "outlived", "outlive") || superlativeWord(w) {
			return true
		}
	}
	return false
}

// likened reports whether a question asks if things are alike.
func likened(q []word) bool {
	for i := range q {
		if w := &q[i]; w.is("same", "both", "each", "share", "shared", "alike", "common", "too", "also") || likeness(w) ||
			w.is("one") && i+1 < len(q) && q[i+1].is("nationality", "country", "nation", "and") {
			return true
		}
	}
	return false
}

// likeness reports whether a word says of somebody that they have something in
// common with another.
func likeness(w *word) bool {
	return w.is("countryman", "countrymen", "compatriot", "compatriots", "fellow", "nationals", "citizens")
}

// yesOrNo reports whether a clause of q asks yes or no, or q asks nothing else.
func yesOrNo(q []word) bool {
	asks := false
	for i := range q {
		if q[i].aux() && (i == 0 || q[i-1].post != "") {
			return true
		}
		asks = asks || q[i].wh()
	}
	return !asks
}
