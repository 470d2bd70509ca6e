package searcher

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"hopstream/messages"
)

// refining is the refinement of one search.
type refining struct {
	*Sparse
	text string
	k    int

	refined, verified int
	asked             map[string]bool // queries, by their key
	judged            map[string]bool // what was verified, by the passages' IDs
	made              []node          // the refinements, in order
}

// run refines start, breadth first: what is asked for differs as little as
// possible from the question.
func (r *refining) run(ctx context.Context, start node) ([]messages.Passage, error) {
	r.asked[start.key()] = true
	enough, err := r.suffices(ctx, start.found)
	if enough || err != nil {
		return r.settle(ctx, start, err)
	}
	level := []node{start}
	for range r.opts.Depth {
		var next []node
		for child, err := range r.children(ctx, level) {
			if err != nil {
				return r.settle(ctx, start, err)
			}
			if child.found, err = r.finder.Find(ctx, child.query, r.k); err != nil {
				return nil, err
			}
			if len(child.found) == 0 {
				continue // narrowing it further finds no more
			}
			enough, err := r.suffices(ctx, child.found)
			if enough {
				return Fuse(r.k, start.found, child.found), nil
			}
			r.made = append(r.made, *child)
			if err != nil {
				return r.settle(ctx, start, err)
			}
			next = append(next, *child)
		}
		level = next
	}
	return r.settle(ctx, start, nil)
}

// children applies every operator to every search of a level, one by one as
// they are taken, until the bounds are reached or a role fails.
func (r *refining) children(ctx context.Context, level []node) iter.Seq2[*node, error] {
	return func(yield func(*node, error) bool) {
		for _, n := range level {
			for _, op := range operators {
				if r.refined == r.opts.MaxRefinements || r.verified == r.opts.MaxVerifications {
					return
				}
				r.refined++
				child, err := r.refine(ctx, n, op)
				if child == nil && err == nil {
					continue
				}
				if !yield(child, err) || err != nil {
					return
				}
			}
		}
	}
}

// refine applies an operator to a search; nil means that it has nothing to
// say that was not searched for already.
func (r *refining) refine(ctx context.Context, n node, op operator) (*node, error) {
	word, err := op.ask(r.Sparse.operators, ctx, r.text, n.keywords(), n.found)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.name, err)
	}
	word = strings.Trim(strings.TrimSpace(word), `"“”`)
	if fold(word) == "" {
		return nil, nil
	}
	child, ok := op.apply(n.query, word)
	if !ok {
		return nil, nil
	}
	out := &node{query: child}
	if key := out.key(); !r.asked[key] {
		r.asked[key] = true
		return out, nil
	}
	return nil, nil
}

// suffices verifies passages; those that were verified before, in that order,
// are not verified again.
func (r *refining) suffices(ctx context.Context, found []messages.Passage) (bool, error) {
	var key strings.Builder
	for i := range found {
		key.WriteString(found[i].ID)
		key.WriteByte(0)
	}
	if r.judged[key.String()] || r.verified == r.opts.MaxVerifications {
		return false, nil
	}
	r.judged[key.String()] = true
	r.verified++
	enough, err := r.verifier.Verify(ctx, r.text, found)
	if err != nil {
		return false, fmt.Errorf("verify: %w", err)
	}
	return enough, nil
}

// maxFused is how many refinements are fused with the first search.
const maxFused = 3

// settle returns what there is when nothing suffices, or when err, a role's,
// ends the refinement: the first search fused with the refinements that
// differ least from it. The first search counts as often as all of them
// together, so a passage that it ranks high is never lost to what only
// refinements found.
func (r *refining) settle(ctx context.Context, start node, err error) ([]messages.Passage, error) {
	if err != nil {
		if err := giveUp(ctx, err, r.opts.OnGiveUp); err != nil {
			return nil, err
		}
	}
	if len(r.made) == 0 {
		return start.found, nil
	}
	var lists [][]messages.Passage
	for _, n := range r.made[:min(len(r.made), maxFused)] {
		lists = append(lists, start.found, n.found)
	}
	return Fuse(r.k, lists...), nil
}

// giveUp tells hook of a role's error: a search goes on without a role,
// whatever is wrong with it. Only the context's error is returned.
func giveUp(ctx context.Context, err error, hook func(error)) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	hook(err)
	return nil
}
