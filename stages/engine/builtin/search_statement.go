package builtin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/plan"
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
	parts := []string{plan.Statement(query)}
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
	for _, part := range plan.Split(question) {
		if s := plan.Statement(part); s != "" && !slices.Contains(out, s) {
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
