package searcher

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"hopstream/messages"
)

// refining is the refinement of one search.
type refining struct {
	*Sparse
	ask  context.Context // in which roles are asked
	text string
	k    int

	refined, verified int
	searched          map[string]bool // queries, by their key
	judged            map[string]bool // what was verified, by the passages' IDs
	made              []node          // the refinements that found something, in order
}

// run refines start, breadth first: what is searched for differs as little as
// possible from the question. Its errors are those of roles and of the index,
// which end the refinement, and of a caller who left, which it returns.
func (r *refining) run(ctx context.Context, start node) ([]messages.Passage, error) {
	r.searched[start.key()] = true
	enough, err := r.suffices(start.found)
	if enough {
		return start.found, nil
	}
	for queue := []node{start}; err == nil && len(queue) > 0; queue = queue[1:] {
		var children []node
		children, err = r.expand(queue[0])
		// What some operators said is searched for even if another failed.
		for _, child := range children {
			enough, verr := r.search(ctx, &child)
			if enough {
				return child.found, nil
			}
			if verr != nil {
				err = verr
				break
			}
			queue = append(queue, child)
		}
	}
	if err != nil {
		if err := r.opts.OnGiveUp.giveUp(ctx, "sparse refinement", err); err != nil {
			return nil, err
		}
	}
	return r.settle(start), nil
}

// search makes the search n, and tells whether what it found suffices.
func (r *refining) search(ctx context.Context, n *node) (enough bool, err error) {
	if n.found, err = r.finder.Find(ctx, n.query, r.k); err != nil {
		return false, fmt.Errorf("search: %w", err)
	}
	if len(n.found) > 0 {
		r.made = append(r.made, *n)
	}
	return r.suffices(n.found)
}

// expand applies every operator to a search, as far as the bounds allow. They
// know nothing of each other, so they are asked at the same time; the searches
// come in the order of the operators, without those that were made before.
func (r *refining) expand(n node) (children []node, err error) {
	ops := n.refining()
	ops = ops[:min(len(ops), r.opts.MaxRefinements-r.refined, r.opts.MaxVerifications-r.verified)]
	if n.depth == r.opts.Depth || len(ops) == 0 {
		return nil, nil
	}
	r.refined += len(ops)
	words, errs := make([]string, len(ops)), make([]error, len(ops))
	var group sync.WaitGroup
	for i, op := range ops {
		group.Go(func() {
			words[i], errs[i] = asked(r.ask, func(ctx context.Context) (string, error) {
				return op.ask(r.operators, ctx, r.text, n.keywords(), n.found)
			})
		})
	}
	group.Wait()
	for i, op := range ops {
		if errs[i] != nil {
			if err == nil {
				err = fmt.Errorf("%s: %w", op.name, errs[i])
			}
			continue
		}
		word := strings.Trim(strings.TrimSpace(words[i]), `"“”`)
		if fold(word) == "" {
			continue
		}
		child := node{depth: n.depth + 1}
		var fits bool
		if child.query, fits = op.apply(n.query, word); fits && !r.searched[child.key()] {
			r.searched[child.key()] = true
			children = append(children, child)
		}
	}
	return children, err
}

// suffices verifies passages. Nothing found does not suffice, and passages that
// were verified before, in that order, are not verified again.
func (r *refining) suffices(found []messages.Passage) (bool, error) {
	var key strings.Builder
	for i := range found {
		key.WriteString(found[i].ID)
		key.WriteByte(0)
	}
	if len(found) == 0 || r.judged[key.String()] || r.verified == r.opts.MaxVerifications {
		return false, nil
	}
	r.judged[key.String()] = true
	r.verified++
	enough, err := asked(r.ask, func(ctx context.Context) (bool, error) { return r.verifier.Verify(ctx, r.text, found) })
	if err != nil {
		return false, fmt.Errorf("verify: %w", err)
	}
	return enough, nil
}

// maxFused is how many refinements are fused with the first search.
const maxFused = 3

// settle returns what there is when nothing suffices: the first search fused with
// the refinements that differ least from it. The first search counts as often as
// all of them together, so a passage that it ranks high is never lost to what
// only refinements found.
func (r *refining) settle(start node) []messages.Passage {
	if len(r.made) == 0 {
		return start.found
	}
	var lists [][]messages.Passage
	for _, n := range r.made[:min(len(r.made), maxFused)] {
		lists = append(lists, start.found, n.found)
	}
	return Fuse(r.k, lists...)
}
