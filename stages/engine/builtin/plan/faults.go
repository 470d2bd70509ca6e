package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// maxRevised bounds the parts of a plan that are looked over; only a faulty
// plan of another engine has more.
const maxRevised = 16

// without returns plan without its superfluous parts: one that repeats another;
// the question itself, where other parts do not use its answer; and one whose
// answer no part uses, where the last part alone answers the question and
// taking it out loses no name of the question.
func (l *Planner) without(question string, plan []string) []string {
	if len(plan) > maxRevised {
		return plan
	}
	parts := slices.Clone(plan)
	for i := 0; i < len(parts); i++ {
		for j := 0; j < i; j++ {
			if subquestion.Same(parts[j], parts[i]) {
				parts = drop(question, parts, i, j)
				i--
				break
			}
		}
	}
	weighs := l.comparing(question)
	for i := 0; len(parts) > 1 && i < len(parts); i++ {
		if used(question, parts, i) {
			continue
		}
		restates := i == 0 && subquestion.Same(parts[i], question)
		rest := drop(question, parts, i, -1)
		if restates || i < len(parts)-1 && !weighs && lost(question, rest) <= lost(question, parts) {
			parts = rest
			i = -1
		}
	}
	return parts
}

// drop takes part i out and renumbers the placeholders. Parts that used its
// answer use that of part j instead, if j is not negative.
func drop(question string, parts []string, i, j int) []string {
	out := make([]string, 0, len(parts)-1)
	for k, part := range parts {
		if k == i {
			continue
		}
		out = append(out, subquestion.Replace(part, question, func(n int) string {
			if n == i+1 && j >= 0 {
				n = j + 1
			}
			if n > i+1 {
				n--
			}
			return subquestion.Placeholder(n)
		}))
	}
	return out
}

// used reports whether a part names the answer of part i.
func used(question string, parts []string, i int) bool {
	for _, part := range parts {
		if slices.Contains(subquestion.References(part, question), i+1) {
			return true
		}
	}
	return false
}

// comparing reports whether several parts together answer the question.
func (l *Planner) comparing(question string) bool {
	if t := lang.Focus(question).Type; t == lang.Choice || t == lang.YesNo {
		return true
	}
	q := parseWords(question)
	if len(q) == 0 {
		return false
	}
	if _, ok := l.comparison(q); ok {
		return true
	}
	return slices.ContainsFunc(q, func(w word) bool { return w.is("both", "same", "common", "respectively", "and") })
}

// faultsOf counts what is wrong with a plan: names of the question that got
// lost, parts that say too little to search for, and a first part that merely
// restates the question.
func faultsOf(question string, parts []string) int {
	n := lost(question, parts)
	if len(parts) > 1 && subquestion.Same(parts[0], question) {
		n++
	}
	for _, part := range parts {
		if len(parts) > 1 && generic(part, question) {
			n++
		}
	}
	return n
}

// lost returns how many names, numbers and quoted titles of the question stand
// in no part. A name stands there if half of its words do.
func lost(question string, parts []string) int {
	var said []uint64
	for _, part := range parts[:min(len(parts), maxRevised)] {
		for _, t := range lang.Tokens(part[:min(len(part), messages.MaxQuestion)]) {
			said = append(said, t.Hash)
		}
	}
	n, words, hit := 0, 0, 0
	end := func() {
		if words > 0 && 2*hit < words {
			n++
		}
		words, hit = 0, 0
	}
	q := parseWords(question)
	for i := range q {
		w := &q[i]
		if i == 0 && w.name && !w.quoted && len(q) > 1 && !q[1].name {
			continue // perhaps capitalised for being the first
		}
		if !w.name || i > 0 && strings.ContainsAny(q[i-1].post, `,"”»`) {
			end()
		}
		if !w.name || lang.IsStop(w.norm) {
			continue
		}
		words++
		for _, t := range lang.Tokens(w.text) {
			if slices.Contains(said, t.Hash) {
				hit++
				break
			}
		}
	}
	end()
	return n
}

// generic reports whether a part holds no name, no number, no placeholder and
// hardly a word that a search could go by.
func generic(part, question string) bool {
	if len(subquestion.References(part, question)) > 0 {
		return false
	}
	q := parseWords(part)
	telling, content := 0, 0
	for i := range q {
		w := &q[i]
		if w.name {
			return false
		}
		if lang.IsStop(w.norm) {
			continue
		}
		content++
		if !commonWord(w.norm) && !lang.IsRelation(w.norm) && !lang.IsPlace(w.norm) {
			telling++
		}
	}
	return telling == 0 && content < 5
}
