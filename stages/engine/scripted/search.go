package scripted

import (
	"context"
	"strings"

	"hopstream/messages"
)

// Operator refines a search; an empty word leaves it as it is.
type Operator func(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)

func (o Operator) ask(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if o == nil {
		return "", nil
	}
	return o(ctx, query, keywords, found)
}

// Keywords answers the query's words unless set.
func (e *Engine) Keywords(ctx context.Context, query string) ([]string, error) {
	if e.KeywordsFunc != nil {
		return e.KeywordsFunc(ctx, query)
	}
	return strings.Fields(query), nil
}

// Extend knows no word unless set.
func (e *Engine) Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return e.ExtendFunc.ask(ctx, query, keywords, found)
}

// Emphasise knows no word unless set.
func (e *Engine) Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return e.EmphasiseFunc.ask(ctx, query, keywords, found)
}

// Exclude knows no word unless set.
func (e *Engine) Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return e.ExcludeFunc.ask(ctx, query, keywords, found)
}

// Verify answers yes unless set.
func (e *Engine) Verify(ctx context.Context, query string, found []messages.Passage) (bool, error) {
	if e.VerifyFunc != nil {
		return e.VerifyFunc(ctx, query, found)
	}
	return true, nil
}

// PseudoDocument answers the query itself unless set.
func (e *Engine) PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error) {
	if e.PseudoDocumentFunc != nil {
		return e.PseudoDocumentFunc(ctx, query, found)
	}
	return query, nil
}

// Hypothesise answers the question itself unless set.
func (e *Engine) Hypothesise(ctx context.Context, question string) ([]string, error) {
	if e.HypothesiseFunc != nil {
		return e.HypothesiseFunc(ctx, question)
	}
	return []string{question}, nil
}
