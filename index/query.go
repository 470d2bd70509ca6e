package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/messages"
)

// Query asks for passages by parts that each do something else. Its texts are
// any texts: there is no query language, so nothing in them has a meaning of
// its own. A text of which nothing is left without marks and structure words
// ("the", "of") asks for nothing.
type Query struct {
	// Words count where they stand, as in Search: a passage needs one of them.
	Words []Word
	// Phrases must all stand in a passage, each with its words next to each
	// other in that order. A phrase counts like a word as rare as it is.
	Phrases []string
	// Not are words, or phrases, that a passage must not hold.
	Not []string
}

// Word is a word, or several, of which each counts for itself.
type Word struct {
	Text string
	// Boost is how many times it counts: 0 means once. Values below 1/1000 or
	// above 1000 are brought there.
	Boost float64
}

const maxBoost = 1000

func (w Word) boost() float64 {
	if w.Boost == 0 || w.Boost != w.Boost {
		return 1
	}
	return min(max(w.Boost, 1/float64(maxBoost)), maxBoost)
}

// weighted is one distinct term of a query's words.
type weighted struct {
	text   []byte
	weight float64
}

// Find returns the k passages with the highest BM25 score for q, best first
// and, of equal scores, by ID. Rank counts from 1. Words of boost 1 score as
// they do in Search. A query that says only what is not wanted finds nothing,
// as does one that no passage satisfies, which is no error.
func (b *Bleve) Find(ctx context.Context, q Query, k int) ([]messages.Passage, error) {
	words := b.weighted(q.Words)
	phrases, not := b.phrases(q.Phrases), b.phrases(q.Not)
	var out []messages.Passage
	err := b.look(ctx, func(l *look) error {
		if k <= 0 {
			return nil
		}
		for _, w := range words {
			if err := l.addWord(ctx, w); err != nil {
				return fmt.Errorf("search for %q: %w", w.text, err)
			}
		}
		if err := l.require(ctx, phrases); err != nil {
			return err
		}
		if err := l.exclude(ctx, not); err != nil {
			return err
		}
		var err error
		out, err = l.s.best(ctx, l.r, k)
		return err
	})
	return out, err
}

// Frequency returns how many passages hold a word, or several words next to
// each other in that order.
func (b *Bleve) Frequency(ctx context.Context, word string) (passages int, err error) {
	ps := b.phrases([]string{word})
	err = b.look(ctx, func(l *look) error {
		if len(ps) == 0 {
			return nil
		}
		found, err := l.phrase(ctx, ps[0])
		passages = len(found.nums)
		return err
	})
	return passages, err
}

// weighted analyzes words into their distinct terms, in order of appearance.
func (b *Bleve) weighted(words []Word) []weighted {
	var out []weighted
	at := map[string]int{}
	for _, w := range words {
		for _, t := range b.terms(w.Text) {
			weight := float64(t.count) * w.boost()
			if i, ok := at[string(t.text)]; ok {
				out[i].weight += weight
				continue
			}
			at[string(t.text)] = len(out)
			out = append(out, weighted{t.text, weight})
		}
	}
	return out
}

// look is one look at one snapshot of the index.
type look struct {
	s *scratch
	r bleveapi.IndexReader
	c *cache
	m bm25
}

// look calls fn with a snapshot that holds passages; it does nothing where
// there are none.
func (b *Bleve) look(ctx context.Context, fn func(*look) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.index == nil {
		return ErrClosed
	}
	r, err := b.reader.Reader()
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	defer r.Close()
	stored, err := r.GetInternal(keyTotals)
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	total := decodeTotals(stored)
	if total.Tokens == 0 {
		return nil
	}
	s := b.scratch.Get().(*scratch)
	defer s.release(&b.scratch)
	return fn(&look{s, r, &b.cache, bm25{
		k1: b.opts.K1, b: b.opts.B, passages: float64(total.Passages), average: float64(total.Tokens) / float64(total.Passages),
	}})
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
