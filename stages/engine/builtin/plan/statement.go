package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Statement turns a question into the statement that answers it, without the
// answer: "In which town was Orla Venn born?" becomes "Orla Venn was born in
// town." Words that only say what kind of answer is wanted ("year", "person")
// are dropped.
func Statement(question string) string {
	ws := trimWords(parseWords(question))
	if len(ws) == 0 {
		return ""
	}
	at := slices.IndexFunc(ws, func(w word) bool { return w.wh() && !w.names() })
	if at > 1 && !ws[at-1].comma() && !ws[at-1].preposition() {
		at = -1 // a relative clause: "… the town where …"
	}
	var lead, kind, rest []word
	rest = ws
	if at >= 0 {
		lead = ws[:at]
		if n := len(lead); n > 0 && lead[n-1].preposition() {
			kind = lead[n-1:]
			lead = lead[:n-1]
		}
		end := at + 1
		for end < len(ws) && !ws[end].aux() && ws[end].verb == 0 && !ws[end].names() {
			end++
		}
		if end == len(ws) {
			end = at + 1
		}
		if asked := meaningful(ws[at+1 : end]); len(asked) > 0 {
			kind = catWords(kind, asked)
		} else {
			kind = nil
		}
		rest = ws[end:]
	}
	if len(rest) > 0 && rest[0].aux() {
		aux := rest[:1]
		rest = rest[1:]
		v := lastVerb(rest)
		switch {
		case aux[0].is("do", "does", "did") || v < 0 && len(kind) == 0:
		case v < 0: // "what film is X" becomes "X is film"
			rest = catWords(rest, spacedWords(aux))
		default:
			rest = catWords(rest[:v], spacedWords(aux), spacedWords(rest[v:]))
		}
		return asStatement(catWords(lead, spacedWords(rest), spacedWords(kind)))
	}
	return asStatement(catWords(lead, spacedWords(kind), spacedWords(rest))) // "which river flows …": the kind is the subject
}

// lastVerb returns the last verb of ws that may follow a subject, or -1.
func lastVerb(ws []word) int {
	for i := len(ws) - 1; i > 0; i-- {
		if w := &ws[i]; !w.names() && !w.aux() && w.verb != 0 && !ws[i-1].article() && !ws[i-1].preposition() {
			return i
		}
	}
	return -1
}

// meaningful drops the words that say only what kind of answer is wanted.
func meaningful(ws []word) []word {
	var out []word
	for i := range ws {
		if !ws[i].is("year", "date", "day", "month", "time", "person", "people", "name", "place", "thing", "kind", "type", "sort",
			"number", "many", "much", "long", "old", "far", "often", "the", "a", "of", "else") {
			out = append(out, ws[i])
		}
	}
	return out
}

// asStatement renders ws as a sentence, or as nothing.
func asStatement(ws []word) string {
	ws = trimWords(ws)
	for i := range ws {
		if w := &ws[i]; i > 0 && (w.aux() || w.preposition()) {
			w.text = w.norm // it opened the question
		}
	}
	var b strings.Builder
	writeWords(&b, ws, func(*strings.Builder, int) {})
	s := strings.Trim(b.String(), " ?!.,;:")
	if s == "" {
		return ""
	}
	if r, n := utf8.DecodeRuneInString(s); unicode.IsLower(r) {
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	return s + "."
}
