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

// Plain makes a Searcher of s. Its passages do not name who found them.
func Plain(s PlainSearcher) Searcher { return plain{s} }

type plain struct{ s PlainSearcher }

// Search asks s.
func (p plain) Search(ctx context.Context, query string, k int) (messages.Found, error) {
	passages, err := p.s.Search(ctx, query, k)
	return messages.Found{Passages: passages}, err
}

// Index is what the passages are found in, as far as it has to be complete.
type Index interface {
	// Read calls search while the index holds every document up to seq of the
	// document stream, and returns search's error. It may call it again where
	// the index was emptied meanwhile. An index that does not get there soon
	// is an unavailable fault, which says how far it is.
	Read(ctx context.Context, seq uint64, search func(context.Context) error) error
}

// Options adjust the retriever.
type Options struct {
	TopK  int   // passages per sub-query; 10
	Index Index // nil: what is searched follows no document stream
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
	var found messages.Found
	search := func(ctx context.Context) (err error) {
		if found, err = r.search.Search(ctx, in.Query, r.opts.TopK); err != nil {
			return fmt.Errorf("search: %w", err)
		}
		return nil
	}
	read := search
	if r.opts.Index != nil {
		read = func(ctx context.Context) error { return r.opts.Index.Read(ctx, in.Docs, search) }
	}
	if err := read(ctx); err != nil {
		return nil, err
	}
	return []messages.Message{&messages.Filter{
		Head: in.Head, Query: in.Query, Passages: found.Passages, Degraded: messages.BoundDegraded(found.Degraded),
		Queries: found.Queries[:min(len(found.Queries), messages.MaxQueries)],
	}}, nil
}
