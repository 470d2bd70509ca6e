// Package scripted is an engine whose answers are set beforehand: the fake
// beside the interfaces, for tests of the pipeline and for measuring what the
// pipeline itself costs. The zero Engine does nothing and answers at once.
package scripted

import (
	"context"

	"hopstream/messages"
)

// Engine calls its functions where they are set; where they are not, it takes
// the cheapest way on.
type Engine struct {
	ClassifyFunc   func(ctx context.Context, question string) (messages.Class, error)
	SplitFunc      func(ctx context.Context, question string) ([]string, error)
	RefineFunc     func(ctx context.Context, question string, pairs []messages.Pair) (string, error)
	PlanFunc       func(ctx context.Context, question string) ([]string, error)
	ReviseFunc     func(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error)
	SupplementFunc func(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)
	SummariseFunc  func(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error)
	SearchFunc     func(ctx context.Context, query string, k int) ([]messages.Passage, error)
	RelevantFunc   func(ctx context.Context, query string, passages []messages.Passage) ([]bool, error)
	EmbedFunc      func(ctx context.Context, texts []string) ([][]float32, error)
	AnswerFunc     func(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
	FuseFunc       func(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error)
	SynthesizeFunc func(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
	DirectFunc     func(ctx context.Context, question string) (messages.Finding, error)
	EnoughFunc     func(ctx context.Context, question string, pairs []messages.Pair) (bool, error)

	KeywordsFunc       func(ctx context.Context, query string) ([]string, error)
	ExtendFunc         Operator
	EmphasiseFunc      Operator
	ExcludeFunc        Operator
	VerifyFunc         func(ctx context.Context, query string, found []messages.Passage) (bool, error)
	PseudoDocumentFunc func(ctx context.Context, query string, found []messages.Passage) (string, error)
	HypothesiseFunc    func(ctx context.Context, question string) ([]string, error)
}

// Classify answers single unless set.
func (e *Engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	if e.ClassifyFunc != nil {
		return e.ClassifyFunc(ctx, question)
	}
	return messages.Single, nil
}

// Split answers the question itself unless set.
func (e *Engine) Split(ctx context.Context, question string) ([]string, error) {
	if e.SplitFunc != nil {
		return e.SplitFunc(ctx, question)
	}
	return []string{question}, nil
}

// Refine answers the question itself unless set.
func (e *Engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	if e.RefineFunc != nil {
		return e.RefineFunc(ctx, question, pairs)
	}
	return question, nil
}

// Plan answers the question itself unless set.
func (e *Engine) Plan(ctx context.Context, question string) ([]string, error) {
	if e.PlanFunc != nil {
		return e.PlanFunc(ctx, question)
	}
	return []string{question}, nil
}

// Revise leaves the plan as it is unless set.
func (e *Engine) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	if e.ReviseFunc != nil {
		return e.ReviseFunc(ctx, question, plan, pairs, problem)
	}
	return plan, nil
}

// Supplement answers the question itself unless set.
func (e *Engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	if e.SupplementFunc != nil {
		return e.SupplementFunc(ctx, question, pairs)
	}
	return []string{question}, nil
}

// Summarise answers as Answer does unless set.
func (e *Engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if e.SummariseFunc != nil {
		return e.SummariseFunc(ctx, query, windows)
	}
	return e.Answer(ctx, query, windows)
}

// Search finds nothing unless set.
func (e *Engine) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if e.SearchFunc != nil {
		return e.SearchFunc(ctx, query, k)
	}
	return nil, nil
}

// Relevant answers yes for every passage unless set.
func (e *Engine) Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	if e.RelevantFunc != nil {
		return e.RelevantFunc(ctx, query, passages)
	}
	out := make([]bool, len(passages))
	for i := range out {
		out[i] = true
	}
	return out, nil
}

// Embed answers one-dimensional unit vectors unless set.
func (e *Engine) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if e.EmbedFunc != nil {
		return e.EmbedFunc(ctx, texts)
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = one
	}
	return out, nil
}

var one = []float32{1}

// Answer answers "yes" from the first window unless set.
func (e *Engine) Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if e.AnswerFunc != nil {
		return e.AnswerFunc(ctx, question, windows)
	}
	f := messages.Finding{Text: "yes", Confidence: 1}
	if len(windows) > 0 {
		f.Sources = []messages.Source{{ID: windows[0].Passage, Title: windows[0].Title}}
	}
	return f, nil
}

// Fuse takes the first finding unless set.
func (e *Engine) Fuse(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error) {
	if e.FuseFunc != nil {
		return e.FuseFunc(ctx, question, findings)
	}
	return findings[0], nil
}

// Synthesize takes the last pair's answer unless set.
func (e *Engine) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	if e.SynthesizeFunc != nil {
		return e.SynthesizeFunc(ctx, question, class, pairs)
	}
	for i := len(pairs) - 1; i >= 0; i-- {
		if !pairs[i].Open() {
			return messages.Finding{Text: pairs[i].Answer, Confidence: 1}, nil
		}
	}
	return messages.Finding{}, nil
}

// Direct answers "yes" unless set.
func (e *Engine) Direct(ctx context.Context, question string) (messages.Finding, error) {
	if e.DirectFunc != nil {
		return e.DirectFunc(ctx, question)
	}
	return messages.Finding{Text: "yes", Confidence: 1}, nil
}

// Enough answers yes unless set.
func (e *Engine) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if e.EnoughFunc != nil {
		return e.EnoughFunc(ctx, question, pairs)
	}
	return true, nil
}
