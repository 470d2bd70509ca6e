package vector

import (
	"context"
	"strings"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Search embeds query and returns the k passages nearest to it, as Near does.
// A blank query finds nothing. It returns the embedder's errors as they are,
// and those of Near.
func (s *Store) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	now, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	query = strings.TrimSpace(query)
	if query == "" || k <= 0 || now.live == 0 {
		return nil, nil
	}
	vectors, err := s.embed(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return s.Near(ctx, vectors[0], k)
}

// Near returns the k passages whose vectors have the highest cosine with
// vector, best first, equal ones in the order of their IDs. Passages that have
// nothing in common with it, a cosine of 0 or less, are not found. Above
// Options.Exact passages a few of the k may be missed for others that are a
// little farther away. A vector of another length than the store's is a
// permanent error.
func (s *Store) Near(ctx context.Context, vector []float32, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	now, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	if k <= 0 || now.live == 0 {
		return nil, nil
	}
	if len(vector) != now.dims {
		return nil, fault.Permanentf("a vector of %d numbers cannot be searched for among those of %d: the embedder has changed, open the index again", len(vector), now.dims)
	}
	q, err := normalised(vector)
	if err != nil {
		return nil, fault.AsPermanent(err)
	}
	best := newBest(min(k, now.live), now.passages)
	from := 0
	if now.live > s.opts.Exact {
		if from, err = now.approximate(ctx, q, best); err != nil {
			return nil, err
		}
	}
	if err := now.scan(ctx, from, q, best); err != nil {
		return nil, err
	}
	return best.passages(), nil
}

// scan compares q with every passage from slot on.
func (s *snapshot) scan(ctx context.Context, slot int, q []float32, best *best) error {
	for n := s.rows(); slot < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min((slot/blockRows+1)*blockRows, n)
		for ; slot < end; slot++ {
			if score := dot(s.row(slot), q); score >= best.bar && !s.dead.has(slot) {
				best.add(hit{score, uint32(slot)})
			}
		}
	}
	return nil
}

// Passage returns the passage called id, and whether there is one.
func (s *Store) Passage(ctx context.Context, id string) (messages.Passage, bool, error) {
	if err := ctx.Err(); err != nil {
		return messages.Passage{}, false, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return messages.Passage{}, false, index.ErrClosed
	}
	doc := document.DocID(id)
	for _, unit := range append([]string{doc}, s.parts[doc]...) {
		for _, slot := range s.where[unit] {
			if p := s.now.passages[slot]; p.ID == id {
				return p, true, nil
			}
		}
	}
	return messages.Passage{}, false, nil
}
