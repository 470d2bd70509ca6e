package builtin

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/lang"
	"hopstream/messages"
)

const (
	pseudoSentences = 3    // of the passages found
	maxPseudo       = 1200 // bytes of a pseudo-document
)

// PseudoDocument returns the query as a statement, with the sentences of the
// passages found that share most with it: a text nearer to the documents than
// a question is. The only error is the context's.
func (e *engine) PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	query = clip(query, maxText)
	q := parseQuery(query)
	type sentence struct {
		text  string
		share float32
	}
	var all []sentence
	for i := range min(len(found), maxPages) {
		text := clip(found[i].Text, maxPassage)
		for _, s := range lang.Sentences(text) {
			if share := q.share(q.match(lang.Tokens(s.Text))); share > 0 && len(s.Text) <= maxPseudo/pseudoSentences {
				all = append(all, sentence{s.Text, share})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b sentence) int { return cmp.Compare(b.share, a.share) })
	parts := []string{statement(query)}
	for _, s := range all {
		if len(parts) <= pseudoSentences && !slices.Contains(parts, s.text) {
			parts = append(parts, s.text)
		}
	}
	return clip(strings.TrimSpace(strings.Join(parts, " ")), maxPseudo), nil
}

// Hypothesise states each thing that a question asks as a fact, as far as that
// goes without knowing the answer. The only error is the context's.
func (e *engine) Hypothesise(ctx context.Context, question string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []string
	for _, part := range split(question) {
		if s := statement(part); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// Statements returns the sentences of the answers, each once, as many as one query
// is searched for by. The only error is the context's.
func (e *engine) Statements(ctx context.Context, _ string, answers []string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []string
	for _, a := range answers {
		for _, s := range lang.Sentences(clip(a, maxText)) {
			if text := strings.TrimSpace(s.Text); text != "" && len(out) < messages.MaxQueries && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out, nil
}

// statement turns a question into the statement that answers it, without the
// answer: "In which town was Orla Venn born?" becomes "Orla Venn was born in
// town." Words that only say what kind of answer is wanted ("year", "person")
// are dropped.
func statement(question string) string {
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
