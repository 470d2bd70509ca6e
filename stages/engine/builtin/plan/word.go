package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/lang"
)

// maxWords bounds what is parsed; longer questions are asked as they stand.
const maxWords = 160

// word is one word of a question as the question parser sees it: with the
// punctuation that belongs to it, or a slot that an earlier step fills.
type word struct {
	text, norm string
	pre, post  string // punctuation before and after, without white space
	space      bool   // white space stands before it
	name       bool   // part of a name, a quoted title, or a number
	quoted     bool
	slot       int // number of the step that fills it, from 1
	verb       lang.VerbForm
}

// parseWords cuts q into words; nil if it is longer than maxWords. Hyphenated
// words and what stands in double quotes hold together.
func parseWords(q string) []word {
	if len(q) > maxWords*12 {
		return nil
	}
	toks := lang.Tokens(q)
	if len(toks) > maxWords {
		return nil
	}
	ws := make([]word, 0, len(toks)+4)
	quoted, paren, capital := false, false, false
	at := 0
	for i := range toks {
		t := &toks[i]
		gap := q[at:t.Start]
		if gap == "-" && i > 0 && !quoted {
			w := &ws[len(ws)-1]
			from := t.Start - 1 - len(w.text)
			w.text = q[from:t.End]
			w.norm += "-" + t.Norm
			w.name = w.name || t.Cap
			_, w.verb = lang.Verb(t.Norm)
			at = t.End
			continue
		}
		w := word{text: t.Text, norm: t.Norm}
		post, pre, space := cutGap(gap)
		w.pre, w.space = pre, space
		if i > 0 {
			ws[len(ws)-1].post = post
		} else {
			w.pre = strings.TrimSpace(gap)
		}
		if strings.Count(post, `"`)%2 == 1 || strings.ContainsAny(post, "”»") {
			quoted = false
		}
		if strings.Contains(post, ")") {
			paren = false
		}
		if strings.Contains(pre, `"`) || strings.ContainsAny(pre, "“«„") {
			quoted = strings.Contains(q[t.End:], `"`) || strings.ContainsAny(q[t.End:], "”»")
		}
		if strings.Contains(pre, "(") {
			paren = strings.Contains(q[t.End:], ")")
		}
		w.quoted = quoted
		w.name = quoted || paren || t.Num || t.Cap && (i > 0 && !t.First || !t.Stop && !RequestWord(t.Norm))
		capital = capital || t.Cap && i > 0
		if !w.name {
			w.norm = lang.Meant(t.Norm)
			_, w.verb = lang.Verb(w.norm)
		}
		ws = append(ws, w)
		at = t.End
	}
	if len(ws) > 0 {
		ws[len(ws)-1].post, _, _ = strings.Cut(strings.TrimSpace(q[at:]), " ")
	}
	shout := capital && !strings.ContainsFunc(q, unicode.IsLower)
	if !capital || shout {
		guessNames(ws)
	}
	return ws
}

// RequestWord reports whether a word that is no stop word may open a request.
func RequestWord(norm string) bool {
	switch norm {
	case "name", "list", "tell", "give", "find", "according", "whose", "identify", "explain", "describe", "state", "put", "choose", "compare", "comparing", "two":
		return true
	}
	return false
}

// guessNames marks the content words of a question written without (or all
// in) capitals that can be part of a name.
func guessNames(ws []word) {
	for i := range ws {
		w := &ws[i]
		if w.quoted {
			continue
		}
		_, w.verb = lang.Verb(w.norm)
		w.name = unicode.IsDigit(firstRune(w.text)) || !lang.IsStop(w.norm) && w.verb == 0 && w.norm != "vs" && w.norm != "versus" &&
			!lang.IsRelation(w.norm) && !lang.IsPlace(w.norm) && !commonWord(w.norm)
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// cutGap splits what stands between two words at its white space.
func cutGap(gap string) (post, pre string, space bool) {
	if marks := strings.TrimLeftFunc(gap, unicode.IsSpace); len(marks) < len(gap) && closers(marks) > 0 {
		gap = marks // a mark that stands apart from its word
	}
	i := strings.IndexFunc(gap, unicode.IsSpace)
	if i < 0 {
		// "word"word: the mark belongs to the word behind, save closing ones
		n := closers(gap)
		return gap[:n], gap[n:], false
	}
	pre = strings.TrimSpace(gap[i:])
	if last, _ := utf8.DecodeLastRuneInString(gap); pre != "" && unicode.IsSpace(last) {
		pre += " " // a dash between words
	}
	return gap[:i], pre, true
}

// closers is how many marks that end something a gap begins with.
func closers(gap string) int { return len(gap) - len(strings.TrimLeft(gap, ").,;?!:]")) }

// comma reports whether a comma, semicolon or dash separates w from the next word.
func (w *word) comma() bool { return strings.ContainsAny(w.post, ",;") }

// is reports whether w is one of norms and no part of a name.
func (w *word) is(norms ...string) bool {
	if w.name || w.slot > 0 {
		return false
	}
	for _, n := range norms {
		if w.norm == n {
			return true
		}
	}
	return false
}

// names reports whether w is part of a name or a slot.
func (w *word) names() bool { return w.name || w.slot != 0 }

// relative reports whether w may open a relative clause.
func (w *word) relative() bool {
	return w.is("that", "which", "who", "whom", "whose", "where", "when")
}

// wh reports whether w is a question word.
func (w *word) wh() bool {
	return w.is("what", "which", "who", "whom", "whose", "where", "when", "why", "how")
}

// article reports whether w opens a noun phrase.
func (w *word) article() bool { return w.is("the", "a", "an", "this", "these", "those") }

// preposition reports whether w is a preposition outside of names.
func (w *word) preposition() bool { return !w.names() && lang.IsPreposition(w.norm) }

// aux reports whether w is an auxiliary outside of names.
func (w *word) aux() bool { return !w.names() && lang.IsAuxiliary(w.norm) }

// plainWords returns words from text, for the parts of questions the parser adds.
func plainWords(text string) []word {
	f := strings.Fields(text)
	ws := make([]word, len(f))
	for i, s := range f {
		ws[i] = word{text: s, norm: s, space: true}
		_, ws[i].verb = lang.Verb(s)
	}
	return ws
}

// slotWord stands for the answer of step n.
func slotWord(n int) word { return word{slot: n, space: true} }

// catWords joins parts into a fresh slice.
func catWords(parts ...[]word) []word {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	out := make([]word, 0, n)
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// trimWords returns a copy of ws without a sentence's punctuation at its ends:
// quotes and parentheses that are complete stay.
func trimWords(ws []word) []word {
	if len(ws) == 0 {
		return nil
	}
	out := append([]word(nil), ws...)
	last := &out[len(out)-1]
	last.post = strings.TrimRight(last.post, ",;:?.! ")
	out[0].pre = strings.TrimLeft(out[0].pre, ",;:?.!-– ")
	return out
}

// asQuestion renders ws as a question: first letter in upper case, one mark.
func asQuestion(ws []word, fill func(b *strings.Builder, slot int)) string {
	var b strings.Builder
	b.Grow(len(ws)*7 + 2)
	writeWords(&b, trimWords(ws), fill)
	s := strings.TrimSpace(b.String())
	if r, n := utf8.DecodeRuneInString(s); unicode.IsLower(r) {
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	return s + "?"
}

// writeWords appends ws to b; fill writes a slot's text.
func writeWords(b *strings.Builder, ws []word, fill func(b *strings.Builder, slot int)) {
	for i := range ws {
		w := &ws[i]
		if i > 0 && w.space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.pre)
		if w.slot > 0 {
			fill(b, w.slot)
		} else {
			b.WriteString(w.text)
		}
		b.WriteString(w.post)
	}
}

// textOf renders ws, which hold no slots, without a sentence's marks at its ends.
func textOf(ws []word) string {
	var b strings.Builder
	writeWords(&b, trimWords(ws), func(*strings.Builder, int) {})
	return strings.TrimSpace(b.String())
}

// commonWord reports whether a normal form is an everyday word.
func commonWord(norm string) bool { return lang.IsStop(norm) || lang.IsCommon(lang.Stem(norm)) }
