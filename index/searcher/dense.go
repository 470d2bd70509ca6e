package searcher

import (
	"context"
	"fmt"
	"strings"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// maxRewrites is LevelRAG's: after three pseudo-documents a fourth hardly
// finds what they did not.
const maxRewrites = 3

// Near finds the k passages nearest to a vector, best first. *vector.Store is
// one.
type Near interface {
	Near(ctx context.Context, vector []float32, k int) ([]messages.Passage, error)
}

// DenseOptions is useful as its zero value.
type DenseOptions struct {
	// Rewrites is the most pseudo-documents written for one query, at most 3;
	// 0 means 3, and a negative value none.
	Rewrites int
	// OnGiveUp is told of the error that ended a refinement. What had been
	// found until then is the result all the same.
	OnGiveUp GiveUp
}

// Dense searches by meaning (LevelRAG's dense searcher): with the query's
// vector, and while what that finds does not suffice, with the vector of a
// passage that a model makes up as it could stand in the documents, first from
// the query and then from what the last search found.
//
//	query ─▶ Embedder ─▶ Near ─▶ Verifier ── suffices ──▶ passages
//	            ▲                    │ does not
//	            └───── Expander ◀─────┘ (3 times)
//
// Every search is verified, the last one too: what suffices is the result as that
// search found it. The paper does not say what is returned when nothing suffices:
// here all searches are fused.
type Dense struct {
	near     Near
	embedder Embedder
	expander Expander
	verifier Verifier
	opts     DenseOptions
}

var _ Searcher = (*Dense)(nil)

// NewDense returns a dense searcher. Without an expander or a verifier it
// searches once, with the query itself.
func NewDense(near Near, embedder Embedder, expander Expander, verifier Verifier, opts DenseOptions) *Dense {
	switch {
	case opts.Rewrites == 0, opts.Rewrites > maxRewrites:
		opts.Rewrites = maxRewrites
	case opts.Rewrites < 0:
		opts.Rewrites = 0
	}
	if expander == nil || verifier == nil {
		opts.Rewrites = 0
	}
	return &Dense{near, embedder, expander, verifier, opts}
}

// Search returns the best k for query. An error of the first search is returned;
// a later one ends the refinement, and so does the end of the search's time:
// what was found until then is the result. A blank query finds nothing.
func (d *Dense) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" || k <= 0 {
		return nil, nil
	}
	ask, done := asking(ctx)
	defer done()
	found, err := d.round(ctx, ask, query, k)
	if err != nil || d.opts.Rewrites == 0 {
		return found, err
	}
	rounds := [][]messages.Passage{found}
	enough, err := d.refine(ctx, ask, query, k, &rounds)
	if err != nil {
		if err := d.opts.OnGiveUp.giveUp(ctx, "dense refinement", err); err != nil {
			return nil, err
		}
	}
	if enough || len(rounds) == 1 {
		return rounds[len(rounds)-1], nil // with the scores of the store
	}
	return Fuse(k, rounds...), nil
}

// refine adds to rounds until the last of them verifies, and reports whether it
// does.
func (d *Dense) refine(ctx, ask context.Context, query string, k int, rounds *[][]messages.Passage) (enough bool, err error) {
	for n := 0; ; n++ {
		last := (*rounds)[n]
		if len(last) > 0 { // nothing needs no verdict
			enough, err := asked(ask, func(ctx context.Context) (bool, error) { return d.verifier.Verify(ctx, query, last) })
			if err != nil {
				return false, fmt.Errorf("verify: %w", err)
			}
			if enough {
				return true, nil
			}
		}
		if n == d.opts.Rewrites {
			return false, nil
		}
		// The first is of the query alone: what was found then is beside
		// the point, and would lead the model there.
		if n == 0 {
			last = nil
		}
		written, err := asked(ask, func(ctx context.Context) (string, error) { return d.expander.PseudoDocument(ctx, query, last) })
		if err != nil {
			return false, fmt.Errorf("pseudo-document: %w", err)
		}
		if strings.TrimSpace(written) == "" {
			return false, nil
		}
		found, err := d.round(ctx, ask, written, k)
		if err != nil {
			return false, err
		}
		*rounds = append(*rounds, found)
	}
}

// round searches with the vector of text.
func (d *Dense) round(ctx, ask context.Context, text string, k int) ([]messages.Passage, error) {
	vectors, err := embed(ask, d.embedder, []string{text})
	if err != nil {
		return nil, err
	}
	return d.near.Near(ctx, vectors[0], k)
}

// embed returns a vector of each text.
func embed(ask context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := asked(ask, func(ctx context.Context) ([][]float32, error) { return e.Embed(ctx, texts) })
	if err != nil {
		return nil, fmt.Errorf("embed what to search for: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fault.Permanentf("the embedder made %d vectors of %d texts", len(vectors), len(texts))
	}
	return vectors, nil
}

func newDense(ctx context.Context, d *Deps) (Searcher, error) {
	near, err := d.Stores.Vectors(ctx)
	if err != nil {
		return nil, err
	}
	return NewDense(near, d.Roles, d.Roles, d.Roles, DenseOptions{Rewrites: exactly(d.Refinements), OnGiveUp: d.OnGiveUp}), nil
}
