// Package retriever finds the passages for one sub-query: the first step of
// HANRAG's noise-resistant retrieval.
package retriever

import (
	"context"
	"fmt"

	"hopstream/messages"
)

// Searcher returns the k best passages for a query, best first, each with the
// names of those who found it, and who failed on the way. It fails only where
// nothing could be searched.
type Searcher interface {
	Search(ctx context.Context, query string, k int) (messages.Found, error)
}

// PlainSearcher returns passages and says nothing of how they were found.
type PlainSearcher interface {
	Search(ctx context.Context, query string, k int) ([]messages.Passage, error)
}

// Plain makes a Searcher of s; its passages are found by nobody in particular.
func Plain(s PlainSearcher) Searcher { return plain{s} }

type plain struct{ s PlainSearcher }

// Search asks s.
func (p plain) Search(ctx context.Context, query string, k int) (messages.Found, error) {
	passages, err := p.s.Search(ctx, query, k)
	return messages.Found{Passages: passages}, err
}

// Options adjust the retriever.
type Options struct {
	TopK int // passages per sub-query; 10
}

// Retriever is the stage.
type Retriever struct {
	search Searcher
	opts   Options
}

// New returns the stage.
func New(s Searcher, o Options) *Retriever {
	if o.TopK <= 0 {
		o.TopK = 10
	}
	return &Retriever{s, o}
}

// Handle searches for one sub-query.
func (r *Retriever) Handle(ctx context.Context, in *messages.Retrieve) ([]messages.Message, error) {
	found, err := r.search.Search(ctx, in.Query, r.opts.TopK)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return []messages.Message{&messages.Filter{
		Head: in.Head, Query: in.Query, Passages: found.Passages, Degraded: messages.BoundDegraded(found.Degraded),
	}}, nil
}
