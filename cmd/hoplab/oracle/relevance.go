package oracle

import (
	"context"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/stages"
)

// relevance is an engine whose relevance verdicts are the gold's.
type relevance struct {
	stages.Engine
	support map[string]map[string]bool // documents, by the key of what is asked
}

// Relevance returns base, but that it finds those passages relevant which are of a
// gold document of what is asked: a question, or a step of one. Of queries that are
// neither, base judges.
func Relevance(questions []dataset.Question, base stages.Engine) stages.Engine {
	e := &relevance{base, map[string]map[string]bool{}}
	add := func(text string, ids ...string) {
		k := key(text)
		if e.support[k] == nil {
			e.support[k] = map[string]bool{}
		}
		for _, id := range ids {
			e.support[k][document.DocID(id)] = true
		}
	}
	for i := range questions {
		q := &questions[i]
		if len(q.Supporting) > 0 {
			add(q.Question, q.Supporting...)
		}
		for _, s := range read(q).steps {
			if len(s.support) > 0 {
				add(s.query, s.support...)
			}
		}
	}
	return e
}

// Relevant returns the gold's verdicts.
func (e *relevance) Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	gold := e.support[key(query)]
	if gold == nil {
		return e.Engine.Relevant(ctx, query, passages)
	}
	out := make([]bool, len(passages))
	for i := range passages {
		out[i] = gold[document.DocID(passages[i].ID)]
	}
	return out, ctx.Err()
}
