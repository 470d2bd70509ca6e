// Package equivalent judges answers without a model: whether a prediction means the
// same as a gold answer (MGA-RAG's accuracy, which a model judges).
//
//	equivalent.go  Judge: the rules, in their order
//	name.go        names of persons, places, organisations
//	value.go       numbers, dates, quantities
package equivalent

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"hopstream/index/lang"
)

// Judge tells whether answers mean the same.
type Judge struct{}

// Equivalent tells whether a prediction means the same as one of the right
// answers (MGA-RAG's accuracy, whose judge is a model). By rules, in this
// order; what none of them decides is not the same:
//
//   - yes and no agree with themselves only, and a negation that one of the
//     two has and the other has not speaks against it;
//   - numbers, dates and quantities are compared by value, whatever they are
//     written like, and none may be left that the other does not have; of a
//     date, the year is enough where the year is asked for;
//   - lists are the same if their items are, in any order;
//   - names are the same with and without titles, legal forms and what is in
//     brackets or behind a comma; persons also by the last name or with
//     initials, where a person is asked for (name.go);
//   - an acronym is the same as the words it is made of, and a country as its
//     other names;
//   - a sentence is the same as the answer in it if it says nothing else that
//     the question does not say.
//
// The only error is the context's.
func (Judge) Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	j := judgement{q: lang.Focus(clip(question, maxQuestion))}
	p := reply(prediction)
	for _, gold := range golds[:min(len(golds), maxGolds)] {
		if j.same(p, reply(gold), true) {
			return true, nil
		}
	}
	return false, nil
}

const (
	maxGolds    = 256
	maxQuestion = 8 << 10 // bytes
	maxReply    = 2 << 10 // bytes of an answer that are looked at
)

// answerText is an answer made ready for comparing.
type answerText struct {
	text   string
	toks   []lang.Token
	values []lang.Span
}

func reply(text string) answerText {
	a := answerText{text: strings.TrimSpace(clip(text, maxReply))}
	a.toks = lang.Tokens(a.text)
	a.values = lang.Values(nil, a.text, a.toks)
	return a
}

// judgement compares answers to one question.
type judgement struct{ q lang.Question }

// same compares a prediction with a right answer. lists says that they may be
// lists of several.
func (j *judgement) same(p, g answerText, lists bool) bool {
	if len(p.toks) == 0 || len(g.toks) == 0 {
		return false
	}
	if x, y := polarity(p.toks), polarity(g.toks); x != 0 || y != 0 {
		return x == y
	}
	if negations(p.toks)%2 != negations(g.toks)%2 {
		return false
	}
	if sameWriting(p.toks, g.toks) {
		return true
	}
	if lists {
		if ps, gs := itemsOf(p.text), itemsOf(g.text); len(ps) > 1 && len(gs) > 1 {
			return j.sameItems(ps, gs)
		}
	}
	if len(g.values) > 0 || len(p.values) > 0 {
		if !j.sameValues(p, g) {
			return false
		}
		if onlyValues(g) && (onlyValues(p) || j.saidOf(p, g, true)) {
			return true
		}
	}
	return j.sameName(p, g) || j.saidOf(p, g, false)
}

// polarity is 1 for an answer that says yes, -1 for one that says no, 0 for
// others.
func polarity(toks []lang.Token) int {
	switch toks[0].Norm {
	case "yes", "yeah", "true", "correct":
		if len(toks) == 1 || toks[1].Sep.Any(lang.Comma|lang.End|lang.Dash) || toks[1].Stop {
			return 1
		}
	case "no", "false", "incorrect":
		if len(toks) == 1 || toks[1].Sep.Any(lang.Comma|lang.End|lang.Dash) {
			return -1
		}
	}
	return 0
}

// negations counts the words that negate a statement.
func negations(toks []lang.Token) (n int) {
	for i := range toks {
		switch t := &toks[i]; {
		case t.Cap && !t.First: // a name
		case t.Norm == "not", t.Norm == "never", t.Norm == "no" && i+1 < len(toks) && !toks[i+1].Num, t.Norm == "none", t.Norm == "neither",
			t.Norm == "nor", t.Norm == "without", t.Norm == "except", t.Norm == "unknown", t.Norm == "cannot", strings.HasSuffix(t.Norm, "n't"):
			n++
		}
	}
	return n
}

// sameWriting reports whether two answers differ in nothing but case, accents,
// articles, marks, or where a word is cut in two.
func sameWriting(a, b []lang.Token) bool {
	x, y := written(a, " "), written(b, " ")
	if x == "" || y == "" {
		return false
	}
	digits := func(s string) bool { return strings.ContainsAny(s, "0123456789") }
	return x == y || !digits(x) && !digits(y) && written(a, "") == written(b, "")
}

func written(toks []lang.Token, between string) string {
	words := make([]string, 0, len(toks))
	for i := range toks {
		if t := &toks[i]; !article(t.Norm) && t.Norm != "&" && t.Norm != "and" {
			words = append(words, strings.ReplaceAll(strings.Trim(t.Norm, "."), ".", ""))
		}
	}
	return strings.Join(words, between)
}

func article(norm string) bool { return norm == "a" || norm == "an" || norm == "the" }

// itemsOf cuts an answer at its semicolons, or else at its commas where an
// "and" or "or" ends the list; other answers are one item.
func itemsOf(text string) []string {
	cut := func(seps ...string) []string {
		for _, s := range seps {
			text = strings.ReplaceAll(text, s, ";")
		}
		var out []string
		for _, item := range strings.Split(text, ";") {
			if item = tidy(item); item != "" && len(out) < maxItems {
				out = append(out, item)
			}
		}
		return out
	}
	switch {
	case strings.Contains(text, ";"):
		return cut(", and ", ", or ")
	case strings.Contains(text, " and ") || strings.Contains(text, " & "):
		return cut(", and ", " and ", " & ", ", ")
	case strings.Count(text, ", ") > 1:
		return cut(", ")
	}
	return nil
}

// sameItems pairs the items of two lists.
func (j *judgement) sameItems(ps, gs []string) bool {
	if len(ps) != len(gs) {
		return false
	}
	left := slices.Clone(gs)
	for _, p := range ps {
		at := slices.IndexFunc(left, func(g string) bool { return j.same(reply(p), reply(g), false) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// saidOf reports whether p is a longer answer that says g: all its other words
// are words of the question or carry no content. byValue says that g is a date
// or a quantity; then the values in p stand for it, however they are written.
//
//revive:disable-next-line:cyclomatic one word after the other, each with what may excuse it
func (j *judgement) saidOf(p, g answerText, byValue bool) bool {
	inside := make([]bool, len(p.toks))
	if byValue {
		for _, v := range p.values {
			for i := v.From; i < v.To; i++ {
				inside[i] = true
			}
		}
	} else if at := within(p.toks, g.toks); at < 0 {
		return false
	} else {
		for i := at; i < at+len(content(g.toks)); i++ {
			inside[i] = true
		}
	}
	for i := range p.toks {
		t := &p.toks[i]
		if !inside[i] && (conjunction(t.Norm) || i+1 < len(p.toks) && inside[i+1] && t.Cap && p.toks[i+1].Sep.Any(lang.Comma)) {
			return false // g is one of several, or a part of something larger: "Salisbury, Rhodesia"
		}
		if inside[i] || t.Stop || filler(t.Norm) {
			continue
		}
		if !slices.ContainsFunc(j.q.Tokens, func(q lang.Token) bool { return q.Hash == t.Hash }) {
			return false
		}
	}
	for _, o := range j.q.Options { // an answer that repeats both options chooses none
		toks := content(lang.Tokens(o.Text))
		if len(toks) > 0 && within(g.toks, toks) < 0 && within(p.toks, toks) >= 0 {
			return false
		}
	}
	return len(p.toks) > 0
}

// filler reports whether a content word adds nothing to an answer.
func filler(norm string) bool {
	switch norm {
	case "approximately", "roughly", "circa", "c", "ca", "nearly", "almost", "year", "years", "date", "answer", "named", "called", "known", "located":
		return true
	}
	return false
}

// content returns toks without an article in front.
func content(toks []lang.Token) []lang.Token {
	for len(toks) > 1 && article(toks[0].Norm) {
		toks = toks[1:]
	}
	return toks
}

// within returns where the words of b stand in a, or -1.
func within(a, b []lang.Token) int {
	b = content(b)
	for i := 0; i+len(b) <= len(a); i++ {
		if slices.EqualFunc(a[i:i+len(b)], b, func(x, y lang.Token) bool { return sameWord(&x, &y) }) {
			return i
		}
	}
	return -1
}

// sameWord compares normal forms, and stems where neither word is a name or a
// number.
func sameWord(a, b *lang.Token) bool {
	return a.Norm == b.Norm || !a.Cap && !b.Cap && !a.Num && !b.Num && len(a.Stem) > 3 && a.Stem == b.Stem
}

// maxItems bounds the items of an answer that are compared.
const maxItems = 24

// clip returns at most n bytes of s, whole runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// tidy takes off marks at the ends that belong to no word.
func tidy(s string) string { return strings.Trim(s, " \t\n,;:\"'`“”()[]") }

func conjunction(norm string) bool {
	return norm == "and" || norm == "or" || norm == "&" || norm == "nor"
}
