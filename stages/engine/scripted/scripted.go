// Package scripted is an engine and a search whose answers are set beforehand,
// for tests of the whole pipeline and for measuring what the pipeline itself
// costs. A test that needs no search sets a roles.Set.
package scripted

import (
	"context"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
)

// Engine answers by the functions that are set. Its other methods return the
// cheapest answer at once, as those of a roles.Set do.
type Engine struct {
	roles.Set
	SearchFunc func(ctx context.Context, query string, k int) ([]messages.Passage, error)
}

// Search finds nothing unless set.
func (e *Engine) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if e.SearchFunc == nil {
		return nil, nil
	}
	return e.SearchFunc(ctx, query, k)
}
