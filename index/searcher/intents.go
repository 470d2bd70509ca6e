package searcher

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
)

// IntentsOptions adjust a search of many intents. Zero fields take the
// defaults named.
type IntentsOptions struct {
	// MaxStatements is how many statements are searched for, besides the
	// question itself; 8.
	MaxStatements int
	// Parallel is how many queries are searched for at once; 4.
	Parallel int
	// Depth is how many passages each query contributes at least; 10. What
	// stands below the k best of one query may be among the best of all.
	Depth int
	// OnGiveUp is told of what failed and was done without: the statements, or
	// one query; nil means that nobody is.
	OnGiveUp func(error)
}

func (o IntentsOptions) withDefaults() IntentsOptions {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&o.MaxStatements, 8)
	def(&o.Parallel, 4)
	def(&o.Depth, 10)
	if o.OnGiveUp == nil {
		o.OnGiveUp = func(error) {}
	}
	return o
}

// Intents is MuISQA's way of searching for a question that wants to know
// several things.
//
//	question ─▶ hypothetical answers, one statement per intent
//	         └▶ the question and each statement, a query each, side by side ─▶ fused
type Intents struct {
	searcher Searcher
	hypo     Hypothesiser
	opts     IntentsOptions
}

// NewIntents returns a searcher that asks s for what h hypothesises; without h
// it asks for the question alone.
func NewIntents(s Searcher, h Hypothesiser, o IntentsOptions) *Intents {
	return &Intents{s, h, o.withDefaults()}
}

// Search finds the k best passages for the question. Without statements, as
// when the model is away or there is no budget left for them, the question
// alone is searched for; a query that fails is done without. It fails when
// every query does, with the class of them all, and with the context's error.
// A blank question finds nothing.
func (s *Intents) Search(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil || k <= 0 || strings.TrimSpace(question) == "" {
		return nil, err
	}
	queries, err := s.queries(ctx, question)
	if err != nil {
		return nil, err
	}
	lists := make([][]messages.Passage, len(queries))
	failed := make([]error, len(queries))
	var group errgroup.Group // without a context: one query's error must not stop the others
	group.SetLimit(s.opts.Parallel)
	for i, q := range queries {
		group.Go(func() error {
			defer func() {
				if p := recover(); p != nil {
					failed[i] = fmt.Errorf("panic: %v", p)
				}
			}()
			lists[i], failed[i] = s.searcher.Search(ctx, q, max(k, s.opts.Depth))
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var wrong failures
	for i, err := range failed {
		if err != nil {
			lists[i] = nil
			wrong = append(wrong, fmt.Errorf("query %d of %d: %w", i+1, len(queries), err))
		}
	}
	if len(wrong) == len(queries) {
		return nil, wrong.classed()
	}
	for _, err := range wrong {
		s.opts.OnGiveUp(err)
	}
	return Fuse(k, lists...), nil
}

// queries are the question and, each once, the statements.
func (s *Intents) queries(ctx context.Context, question string) ([]string, error) {
	queries := []string{question}
	if s.hypo == nil {
		return queries, nil
	}
	statements, err := s.hypo.Hypothesise(ctx, question)
	if err != nil {
		return queries, giveUp(ctx, fmt.Errorf("hypothesise: %w", err), s.opts.OnGiveUp)
	}
	seen := map[string]bool{fold(question): true, "": true}
	for _, st := range statements {
		if key := fold(st); !seen[key] && len(queries) <= s.opts.MaxStatements {
			seen[key] = true
			queries = append(queries, st)
		}
	}
	return queries, nil
}

func newIntents(ctx context.Context, d *Deps) (Searcher, error) {
	words, err := d.Stores.Words(ctx)
	if err != nil {
		return nil, err
	}
	return NewIntents(words, d.Roles, IntentsOptions{Depth: d.Depth, OnGiveUp: d.OnGiveUp}), nil
}
