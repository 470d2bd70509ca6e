package searcher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
)

// IntentsOptions adjust a search of many intents. Zero fields take the
// defaults named.
type IntentsOptions struct {
	// MaxStatements is how many statements are searched for; messages.MaxQueries,
	// which is also the most.
	MaxStatements int
	// Parallel is how many queries are searched for at once; 4.
	Parallel int
	// Depth is how many passages each query contributes at least; 10. What
	// stands below the k best of one query may be among the best of all.
	Depth int
	// OnGiveUp is told of what failed and was done without: the statements, or
	// some of their queries; nil means that nobody is.
	OnGiveUp GiveUp
}

func (o IntentsOptions) withDefaults() IntentsOptions {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&o.MaxStatements, messages.MaxQueries)
	o.MaxStatements = min(o.MaxStatements, messages.MaxQueries)
	def(&o.Parallel, 4)
	def(&o.Depth, 10)
	return o
}

// Intents is MuISQA's way of searching for a question that wants to know
// several things.
//
//	question ─▶ hypothetical answers ─▶ one statement per intent
//	         └▶ each statement, a query of its own, side by side ─▶ fused
//
// The question itself is searched for only where there are no statements.
type Intents struct {
	queries queries
	hypo    Hypothesiser
	opts    IntentsOptions
}

var _ Telling = (*Intents)(nil)

// queries prepares the search for each of several texts: search i finds what
// there is for text i. ask is the context for roles.
type queries func(ctx, ask context.Context, texts []string) (search func(i, k int) ([]messages.Passage, error), err error)

// NewIntents returns a searcher that asks s for what h hypothesises; without h
// it asks for the question alone.
func NewIntents(s Searcher, h Hypothesiser, o IntentsOptions) *Intents {
	return &Intents{func(ctx, _ context.Context, texts []string) (func(i, k int) ([]messages.Passage, error), error) {
		return func(i, k int) ([]messages.Passage, error) { return s.Search(ctx, texts[i], k) }, nil
	}, h, o.withDefaults()}
}

// NewDenseIntents is NewIntents over vectors, as the paper has it. All statements
// are embedded at once.
func NewDenseIntents(near Near, e Embedder, h Hypothesiser, o IntentsOptions) *Intents {
	return &Intents{func(ctx, ask context.Context, texts []string) (func(i, k int) ([]messages.Passage, error), error) {
		vectors, err := embed(ask, e, texts)
		if err != nil {
			return nil, err
		}
		return func(i, k int) ([]messages.Passage, error) { return near.Near(ctx, vectors[i], k) }, nil
	}, h, o.withDefaults()}
}

// Search finds the k best passages for the question. Without statements, as
// when the model is away or there is no time or budget left for them, the
// question itself is searched for; a query that fails is done without. It fails
// when every query does, with the class of them all, and with the context's
// error. A blank question finds nothing.
func (s *Intents) Search(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	found, _, err := s.SearchTold(ctx, question, k)
	return found, err
}

// SearchTold is Search, and returns the statements that were searched for.
func (s *Intents) SearchTold(ctx context.Context, question string, k int) (found []messages.Passage, statements []string, err error) {
	if err := ctx.Err(); err != nil || k <= 0 || strings.TrimSpace(question) == "" {
		return nil, nil, err
	}
	ask, done := asking(ctx)
	defer done()
	if s.hypo != nil {
		hypothesising, done := leaving(ask)
		defer done()
		if statements, err = s.statements(hypothesising, question); err != nil {
			if err := s.opts.OnGiveUp.giveUp(ctx, "intents statements", err); err != nil {
				return nil, nil, err
			}
		}
	}
	texts := statements
	if len(texts) == 0 {
		texts = []string{question}
	}
	found, err = s.fused(ctx, ask, texts, k)
	return found, statements, err
}

// statements returns those of the hypothetical answers, each once.
func (s *Intents) statements(ask context.Context, question string) ([]string, error) {
	answers, err := asked(ask, func(ctx context.Context) ([]string, error) { return s.hypo.Hypothesise(ctx, question) })
	if err != nil || len(answers) == 0 {
		return nil, err
	}
	all, err := asked(ask, func(ctx context.Context) ([]string, error) { return s.hypo.Statements(ctx, question, answers) })
	if err != nil {
		return nil, err
	}
	var statements []string
	seen := map[string]bool{"": true}
	for _, st := range all {
		if key := fold(st); !seen[key] && len(statements) < s.opts.MaxStatements {
			seen[key] = true
			statements = append(statements, st)
		}
	}
	return statements, nil
}

// fused searches for each text and fuses what was found.
func (s *Intents) fused(ctx, ask context.Context, texts []string, k int) ([]messages.Passage, error) {
	search, err := s.queries(ctx, ask, texts)
	if err != nil {
		return nil, err
	}
	lists := make([][]messages.Passage, len(texts))
	failed := make([]error, len(texts))
	var group errgroup.Group // without a context: one query's error must not stop the others
	group.SetLimit(s.opts.Parallel)
	for i := range texts {
		group.Go(func() error {
			defer func() {
				if p := recover(); p != nil {
					failed[i] = fmt.Errorf("panic: %v", p)
				}
			}()
			lists[i], failed[i] = search(i, max(k, s.opts.Depth))
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	var wrong failures
	for i, err := range failed {
		if err != nil {
			lists[i] = nil
			wrong = append(wrong, fmt.Errorf("%d of %d: %w", i+1, len(texts), err))
		}
	}
	if len(wrong) == len(texts) {
		return nil, wrong.classed()
	}
	if len(wrong) > 0 {
		if err := s.opts.OnGiveUp.giveUp(ctx, "intents queries", wrong); err != nil {
			return nil, err
		}
	}
	return Fuse(k, lists...), nil
}

func newIntents(ctx context.Context, d *Deps) (Searcher, error) {
	o := IntentsOptions{Depth: d.Depth, OnGiveUp: d.OnGiveUp}
	if d.IntentsOverDense {
		near, err := d.Stores.Vectors(ctx)
		if err != nil {
			return nil, err
		}
		return NewDenseIntents(near, d.Roles, d.Roles, o), nil
	}
	words, err := d.Stores.Words(ctx)
	if err != nil {
		return nil, err
	}
	return NewIntents(words, d.Roles, o), nil
}
