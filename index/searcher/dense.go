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
	OnGiveUp func(error)
}

// Dense searches by meaning (LevelRAG's dense searcher): with the query's
// vector, and while what that finds does not suffice, with the vector of a
// passage that a model makes up as it could stand in the documents.
//
//	query ─▶ Embedder ─▶ Near ─▶ Verifier ── suffices ──▶ fused rounds
//	            ▲                    │ does not
//	            └───── Expander ◀─────┘ (3 times)
type Dense struct {
	near     Near
	embedder Embedder
	expander Expander
	verifier Verifier
	opts     DenseOptions
}

var _ Searcher = (*Dense)(nil)

// NewDense returns a dense searcher. Without a expander or a verifier it
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
	if opts.OnGiveUp == nil {
		opts.OnGiveUp = func(error) {}
	}
	return &Dense{near, embedder, expander, verifier, opts}
}

// Search returns the best k of all rounds, fused by reciprocal rank. An error
// of the first round is returned; a later one ends the refinement, unless ctx
// has ended, whose error is returned. A blank query finds nothing.
func (d *Dense) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" || k <= 0 {
		return nil, nil
	}
	found, err := d.round(ctx, query, k)
	if err != nil {
		return nil, err
	}
	rounds := [][]messages.Passage{found}
	if err := d.refine(ctx, query, k, &rounds); err != nil {
		if err := giveUp(ctx, err, d.opts.OnGiveUp); err != nil {
			return nil, err
		}
	}
	if len(rounds) == 1 {
		return found, nil // with the scores of the store
	}
	return Fuse(k, rounds...), nil
}

// refine adds to rounds until the last of them verifies.
func (d *Dense) refine(ctx context.Context, query string, k int, rounds *[][]messages.Passage) error {
	for n := range d.opts.Rewrites {
		if last := (*rounds)[n]; len(last) > 0 {
			enough, err := d.verifier.Verify(ctx, query, last)
			if err != nil {
				return fmt.Errorf("verify what was found for %q: %w", query, err)
			}
			if enough {
				return nil
			}
		}
		// The first is of the query alone: what was found then is beside
		// the point, and would lead the model there.
		var seen []messages.Passage
		if n > 0 {
			seen = Fuse(k, *rounds...)
		}
		written, err := d.expander.PseudoDocument(ctx, query, seen)
		if err != nil {
			return fmt.Errorf("write a pseudo-document for %q: %w", query, err)
		}
		if strings.TrimSpace(written) == "" {
			return nil
		}
		found, err := d.round(ctx, written, k)
		if err != nil {
			return err
		}
		*rounds = append(*rounds, found)
	}
	return nil
}

// round searches with the vector of text.
func (d *Dense) round(ctx context.Context, text string, k int) ([]messages.Passage, error) {
	vectors, err := d.embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, fmt.Errorf("embed what to search for: %w", err)
	}
	if len(vectors) != 1 {
		return nil, fault.Permanentf("the embedder made %d vectors of one text", len(vectors))
	}
	return d.near.Near(ctx, vectors[0], k)
}

func newDense(ctx context.Context, d *Deps) (Searcher, error) {
	near, err := d.Stores.Vectors(ctx)
	if err != nil {
		return nil, err
	}
	return NewDense(near, d.Roles, d.Roles, d.Roles, DenseOptions{Rewrites: exactly(d.Refinements), OnGiveUp: d.OnGiveUp}), nil
}
