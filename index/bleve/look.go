package bleve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	bleveapi "github.com/blevesearch/bleve_index_api"
)

// look is one look at one snapshot of the index.
type look struct {
	s *scratch
	r bleveapi.IndexReader
	c *cache
	m bm25
}

// look calls fn with a snapshot that holds passages; it does nothing where
// there are none.
func (b *Store) look(ctx context.Context, fn func(*look) error) error {
	return b.view(ctx, func(r bleveapi.IndexReader) error {
		stored, err := r.GetInternal(keyTotals)
		if err != nil {
			return fmt.Errorf("search: %w", err)
		}
		total := decodeTotals(stored)
		if total.Tokens == 0 {
			return nil
		}
		k1, slope := b.opts.BM25.Values()
		s := b.scratch.Get().(*scratch)
		defer s.release(&b.scratch)
		return fn(&look{s, r, &b.cache, bm25{
			k1: k1, b: slope, passages: float64(total.Passages), average: float64(total.Tokens) / float64(total.Passages),
		}})
	})
}

// term returns the scored passages of one term; they are good until the next
// call.
func (l *look) term(ctx context.Context, text []byte) (scored, error) {
	if err := ctx.Err(); err != nil {
		return scored{}, err
	}
	if found, ok := l.c.get(l.r, text); ok {
		return found, nil
	}
	found, kept, err := l.m.read(ctx, l.r, text, &l.s.buf, func(n int) bool { return l.c.reserve(l.r, n+termCost) })
	if err == nil && kept {
		l.c.put(l.r, text, found)
	}
	return found, err
}

func (l *look) addWord(ctx context.Context, w weighted) error {
	found, err := l.term(ctx, w.text)
	if err == nil && len(found.nums) == 0 {
		found, err = l.spelled(ctx, w.text)
	}
	if err == nil {
		l.add(found, w.weight)
	}
	return err
}

// add adds to the score of every passage found.
func (l *look) add(found scored, weight float64) {
	if len(found.nums) == 0 {
		return
	}
	if last := uint64(found.nums[len(found.nums)-1]); last >= uint64(len(l.s.scores)) {
		l.s.grow(last)
	}
	for i, num := range found.nums {
		if l.s.scores[num] == 0 {
			l.s.touched = append(l.s.touched, num)
		}
		l.s.scores[num] += weight * found.gains[i]
	}
}

// require adds what phrases score, and drops the passages that lack one.
func (l *look) require(ctx context.Context, phrases []phrase) error {
	all := make([]scored, len(phrases))
	for i, p := range phrases {
		var err error
		if all[i], err = l.phrase(ctx, p); err != nil {
			return fmt.Errorf("search for %q: %w", p.key, err)
		}
		l.add(all[i], 1)
	}
	for _, found := range all {
		l.keep(found.nums, true)
	}
	return nil
}

// exclude drops the passages that hold one of the phrases.
func (l *look) exclude(ctx context.Context, phrases []phrase) error {
	for _, p := range phrases {
		found, err := l.phrase(ctx, p)
		if err != nil {
			return fmt.Errorf("search for %q: %w", p.key, err)
		}
		l.keep(found.nums, false)
	}
	return nil
}

// keep drops the passages that are not among nums, or those that are.
func (l *look) keep(nums []uint32, among bool) {
	left := l.s.touched[:0]
	for _, num := range l.s.touched {
		if _, found := slices.BinarySearchFunc(nums, num, cmp.Compare[uint32]); found == among {
			left = append(left, num)
			continue
		}
		l.s.scores[num] = 0
	}
	l.s.touched = left
}
