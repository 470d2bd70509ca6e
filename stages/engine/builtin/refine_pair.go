package builtin

import "hopstream/index/lang"

// named finds two names that stand side by side, whatever the syntax around
// them, where the question weighs two things or asks whether they are alike.
// pred is what is left.
func named(q []word) (a, b, pred []word, ok bool) {
	weighs := compares(q)
	if !weighs && !likened(q) {
		return nil, nil, nil, false
	}
	from, to := -1, -1
	for i := 0; i < len(q); i++ {
		end := groupEnd(q, i)
		if end == i {
			continue
		}
		if to > 0 && sideBySide(q[to:i]) {
			pred = catWords(q[:from], q[end:])
			if len(pred) < 2 || !weighs && !yesOrNo(pred) {
				return nil, nil, nil, false
			}
			return q[from:to], q[i:end], pred, true
		}
		from, to = i, end
		i = end - 1
	}
	return nil, nil, nil, false
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
		for k < len(q) && k < j+3 && !q[k].name && !q[k].is("and", "or", "with", "than") && (particle(&q[k]) || q[k].preposition() || q[k].is("a", "an", "as", "'s")) && q[k].post == "" {
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

// sideBySide reports whether what stands between two names joins them.
func sideBySide(between []word) bool {
	if len(between) == 0 || len(between) > 5 {
		return false
	}
	joins := false
	for i := range between {
		w := &between[i]
		switch {
		case w.is("and", "or", "with", "than", "versus", "vs", "against", "&"):
			joins = true
		case w.article(), kindWord(w), numeric(w), w.is("to", "compared", "either"), !w.names() && lang.IsRole(w.norm):
		default:
			return false
		}
	}
	return joins
}

// likened reports whether a question asks if things are alike.
func likened(q []word) bool {
	for i := range q {
		if q[i].is("same", "both", "share", "shared", "alike", "fellow", "one", "common", "too") {
			return true
		}
	}
	return false
}

// yesOrNo reports whether a clause of q asks yes or no.
func yesOrNo(q []word) bool {
	for i := range q {
		if i > 0 && !q[i-1].comma() && q[i-1].post == "" || !q[i].aux() {
			continue
		}
		return true
	}
	return false
}
