package vector

import (
	"context"
	"sync"
)

// A search that is not exact compares the query with all sketches, and then with
// the vectors of the most similar ones: of one passage in shareCompared, and of
// at least perWanted for each result that is wanted. At these figures it hardly
// ever misses one of the best ten (see TestRecall).
const (
	shareCompared = 50
	perWanted     = 20
)

// likenesses is the memory of one search, reused by later ones.
type likenesses struct {
	of     []int32 // by slot
	counts []int32 // how many slots have a likeness, from the least possible on
}

var spare = sync.Pool{New: func() any { return new(likenesses) }}

func (l *likenesses) fit(slots, values int) {
	if cap(l.of) < slots {
		l.of = make([]int32, slots+slots/4)
	}
	if cap(l.counts) < values {
		l.counts = make([]int32, values)
	}
	l.of, l.counts = l.of[:slots], l.counts[:values]
	clear(l.counts)
}

// approximate compares q with the passages whose sketches are most similar to
// it. It returns the first slot that has no sketch yet: the caller compares q
// with the passages from there on one by one.
func (s *snapshot) approximate(ctx context.Context, q []float32, best *best) (int, error) {
	compared := max(s.live/shareCompared, perWanted*min(best.k, s.live))
	if s.sketcher == nil || compared >= s.live {
		return 0, nil
	}
	words := s.sketcher.words()
	rows := len(s.sketches) / words
	planes := s.sketcher.planes(q)
	l := spare.Get().(*likenesses)
	defer spare.Put(l)
	zero := 8 * s.sketcher.bits // more than any likeness is below 0
	l.fit(rows, 2*zero+1)
	for slot := range rows {
		if slot%(8*blockRows) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		n := 0 // of the dead: no more than there may be
		if !s.dead.has(slot) {
			n = likeness(planes, s.sketches[slot*words:(slot+1)*words]) + zero
			l.counts[n]++
		}
		l.of[slot] = int32(n)
	}
	bar := len(l.counts) - 1
	for n := int(l.counts[bar]); n < compared && bar > 1; n += int(l.counts[bar]) {
		bar--
	}
	for slot, n := range l.of {
		if n >= int32(bar) {
			if score := dot(s.row(slot), q); score >= best.bar {
				best.add(hit{score, uint32(slot)})
			}
		}
	}
	return rows, ctx.Err()
}
