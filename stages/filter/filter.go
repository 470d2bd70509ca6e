// Package filter keeps the passages that bear on the sub-query: HANRAG's
// relevance judgement, which makes the single step resistant to noise.
//
// Where nothing is judged relevant, the best-ranked passages stay, unless told
// otherwise: a filter that empties lists loses answers that were in reach. The
// paper's own filter does empty them, and the model answers from what it knows.
package filter

import (
	"cmp"
	"context"
	"fmt"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Relevance judges, passage by passage, whether it helps to answer query. The
// result has one entry per passage.
type Relevance interface {
	Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error)
}

// Fallback says what a sub-query is answered from where none of its passages is
// judged relevant.
type Fallback string

// The fallbacks.
const (
	IfNoneBest   Fallback = "best"   // the best-ranked passages stay
	IfNoneNone   Fallback = "none"   // nothing: the sub-query stays unanswered
	IfNoneDirect Fallback = "direct" // nothing: the generator is to answer without passages (HANRAG)
)

// Fallbacks returns the three fallbacks.
func Fallbacks() []Fallback { return []Fallback{IfNoneBest, IfNoneNone, IfNoneDirect} }

// Options adjust the filter.
type Options struct {
	Keep int // passages at most; 3
	// IfNone is IfNoneBest unless set. The filter leaves no passage under each
	// of the others, which differ in what the generator does then.
	IfNone Fallback
	// Off keeps the best-ranked passages unjudged (HANRAG's ablation).
	Off bool
}

// Filter is the stage.
type Filter struct {
	relevance Relevance
	opts      Options
}

// New returns the stage.
func New(r Relevance, o Options) *Filter {
	if o.Keep <= 0 {
		o.Keep = 3
	}
	o.IfNone = cmp.Or(o.IfNone, IfNoneBest)
	return &Filter{r, o}
}

// Handle judges the passages of one sub-query.
func (f *Filter) Handle(ctx context.Context, in *messages.Filter) ([]messages.Message, error) {
	kept, err := f.keep(ctx, in)
	if err != nil {
		return nil, err
	}
	return []messages.Message{&messages.Align{Head: in.Head, Query: in.Query, Passages: kept, Degraded: in.Degraded, Queries: in.Queries}}, nil
}

func (f *Filter) keep(ctx context.Context, in *messages.Filter) ([]messages.Passage, error) {
	best := in.Passages[:min(f.opts.Keep, len(in.Passages))]
	if f.opts.Off || len(in.Passages) == 0 {
		return best, nil
	}
	verdicts, err := f.relevance.Relevant(ctx, in.Query, in.Passages)
	if err != nil {
		return nil, fmt.Errorf("judge relevance: %w", err)
	}
	if len(verdicts) != len(in.Passages) {
		return nil, fault.Permanentf("judge relevance: %d verdicts for %d passages", len(verdicts), len(in.Passages))
	}
	kept := make([]messages.Passage, 0, f.opts.Keep)
	for i, yes := range verdicts {
		if yes && len(kept) < f.opts.Keep {
			kept = append(kept, in.Passages[i])
		}
	}
	if len(kept) == 0 && f.opts.IfNone == IfNoneBest {
		return best, nil
	}
	return kept, nil
}
