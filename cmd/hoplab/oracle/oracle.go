// Package oracle answers the stages' questions from the gold decomposition of
// a data set, to measure the pipeline's own mechanics: what is missing from
// all answers being right was lost by retrieval, filter, alignment, join or
// binding, and not by whoever planned or read.
//
//	Engine ─┬─ classes, plans, verdicts, syntheses   the gold's
//	        ├─ answers      the gold's, if they stand in one of the windows
//	        └─ relevance, embeddings                 the engine's that is measured
//
//	oracle.go   the questions stages ask, by stage
//	gold.go     a data set's question as steps that name each other's answers
//	find.go     an answer in the windows
//	relevance.go  another engine, whose verdicts on passages are the gold's
package oracle

import (
	"context"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
	"hopstream/stages"
)

// Engine answers from the gold of a data set's questions. Calls about a question
// that it does not know go to the engine below it. Answer and Summarise are the
// exception: they get a query without its question, and find nothing if it is
// no gold step. It is safe for concurrent use.
type Engine struct {
	stages.Engine // relevance, embeddings, unknown questions
	known         map[string]*gold
	queries       map[string][]*step // by key; the same may be asked for several questions
}

// New returns the oracle of the questions, over the engine whose relevance
// verdicts and embeddings are to be measured. Of several questions with the same
// text it knows the first.
func New(questions []dataset.Question, base stages.Engine) *Engine {
	e := &Engine{Engine: base, known: map[string]*gold{}, queries: map[string][]*step{}}
	for i := range questions {
		k := key(questions[i].Question)
		if e.known[k] != nil {
			continue
		}
		g := read(&questions[i])
		e.known[k] = g
		for j := range g.steps {
			s := &g.steps[j]
			e.queries[key(s.query)] = append(e.queries[key(s.query)], s)
		}
	}
	return e
}

// key makes texts comparable that differ in case, punctuation or articles.
func key(text string) string { return score.Normalize(text) }

func (e *Engine) gold(question string) *gold { return e.known[key(question)] }

// Depth is how many rounds the gold takes: the longest chain of steps that
// need each other's answers. It is 0 where the question is not known.
func (e *Engine) Depth(question string) int {
	if g := e.gold(question); g != nil {
		return g.depth()
	}
	return 0
}

// Query is what a known question's gold step (from 0) asks, with gold answers
// in place of what it names; empty where there is none.
func (e *Engine) Query(question string, step int) string {
	if g := e.gold(question); g != nil && step >= 0 && step < len(g.steps) {
		return g.steps[step].query
	}
	return ""
}

// Classify returns the gold class.
func (e *Engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	if g := e.gold(question); g != nil {
		return g.class(), ctx.Err()
	}
	return e.Engine.Classify(ctx, question)
}

// Split returns the gold parts.
func (e *Engine) Split(ctx context.Context, question string) ([]string, error) {
	if g := e.gold(question); g != nil {
		return g.queries(), ctx.Err()
	}
	return e.Engine.Split(ctx, question)
}

// Plan returns the gold steps, naming each other's answers as $1, $2, ….
func (e *Engine) Plan(ctx context.Context, question string) ([]string, error) {
	if g := e.gold(question); g != nil {
		return g.parts(), ctx.Err()
	}
	return e.Engine.Plan(ctx, question)
}

// Revise returns the plan as it is. One that cannot be followed lost an
// answer on the way; there is no better.
func (e *Engine) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	switch {
	case e.gold(question) == nil:
		return e.Engine.Revise(ctx, question, plan, pairs, problem)
	case problem != "":
		return nil, ctx.Err()
	}
	return plan, ctx.Err()
}

// Refine returns the first step that was not asked yet, with gold answers in
// place of what it names: after a lost answer the later hops are measured all
// the same.
func (e *Engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	g := e.gold(question)
	if g == nil {
		return e.Engine.Refine(ctx, question, pairs)
	}
	for i, p := range g.progress(pairs) {
		if p == unasked {
			return g.steps[i].query, ctx.Err()
		}
	}
	return "", ctx.Err()
}

// Atomise returns the steps that need no other's answer.
func (e *Engine) Atomise(ctx context.Context, question string) ([]string, error) {
	return e.Supplement(ctx, question, nil)
}

// Supplement returns all steps whose needs were answered, or else the first
// that was not asked yet.
func (e *Engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	g := e.gold(question)
	if g == nil {
		return e.Engine.Supplement(ctx, question, pairs)
	}
	if now := g.askable(g.progress(pairs)); len(now) > 0 {
		return now, ctx.Err()
	}
	next, err := e.Refine(ctx, question, pairs)
	if next == "" || err != nil {
		return nil, err
	}
	return []string{next}, nil
}

// Enough reports whether every step was asked. One that found nothing would
// find nothing again.
func (e *Engine) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	g := e.gold(question)
	if g == nil {
		return e.Engine.Enough(ctx, question, pairs)
	}
	for _, p := range g.progress(pairs) {
		if p == unasked {
			return false, ctx.Err()
		}
	}
	return true, ctx.Err()
}

// Complete is Enough.
func (e *Engine) Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	return e.Enough(ctx, question, pairs)
}

// Answer returns the gold answer of the step that asks query, if it occurs in
// the windows. A query that is no gold step finds nothing: the oracle does not
// read.
func (e *Engine) Answer(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	for _, s := range e.queries[key(query)] {
		if f := s.find(windows); f.Text != "" {
			return f, ctx.Err()
		}
	}
	return messages.Finding{}, ctx.Err()
}

// Summarise is Answer: the bare answer is the shortest summary.
func (e *Engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	return e.Answer(ctx, query, windows)
}

// Fuse returns the finding with the most items, or else the first that is not
// empty: the scales differ only in how much of a list they found.
func (e *Engine) Fuse(ctx context.Context, _ string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error) {
	var best messages.Finding
	for _, f := range findings {
		if f.Text != "" && (best.Text == "" || len(f.Claims) > len(best.Claims)) {
			best = f
		}
	}
	return best, ctx.Err()
}

// Synthesize returns the gold answer if every step that leads to it was
// answered; yes, no and comparisons are derived from those. A compound
// question's answer are its parts' answers, as far as they were found.
func (e *Engine) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	g := e.gold(question)
	if g == nil {
		return e.Engine.Synthesize(ctx, question, class, pairs)
	}
	f := messages.Finding{Confidence: 1}
	if class == messages.Compound {
		var all []string
		for i := range pairs {
			if !pairs[i].Open() {
				all = append(all, pairs[i].Answer)
				f.Sources = append(f.Sources, pairs[i].Sources...)
			}
		}
		f.Text = strings.Join(all, separator)
		return f, ctx.Err()
	}
	lead, progress := g.lead(), g.progress(pairs)
	for i := range g.steps {
		if lead[i] && progress[i] != answered {
			return messages.Finding{}, ctx.Err()
		}
	}
	f.Text = g.answer()
	return f, ctx.Err()
}

// Direct returns the gold answer of a question that needs no documents.
func (e *Engine) Direct(ctx context.Context, question string) (messages.Finding, error) {
	g := e.gold(question)
	if g == nil {
		return e.Engine.Direct(ctx, question)
	}
	if g.class() != messages.Straightforward {
		return messages.Finding{}, ctx.Err()
	}
	return messages.Finding{Text: g.answer(), Confidence: 1}, ctx.Err()
}
