package vector

import (
	"slices"

	"hopstream/index"
	"hopstream/messages"
)

// blockRows is how many vectors lie in one piece of memory.
const blockRows = 1024

// snapshot is what a store holds at one moment. A search reads one without a
// lock: whoever changes the store makes another, which shares memory with the
// last. Passages are only ever added behind the others, in slots; one that is
// replaced or removed is marked dead.
type snapshot struct {
	dims      int
	blocks    [][]float32        // of blockRows vectors each
	passages  []messages.Passage // by slot, the dead ones blank
	dead      bitmap
	live      int // passages that are not dead
	documents int
	position  index.Position
	sketcher  *sketcher // nil while search is exact
	sketches  []uint64  // of the first slots, one after the other
}

type bitmap []uint64

func (b bitmap) has(slot int) bool { return b[slot/64]>>(slot%64)&1 == 1 }
func (b bitmap) set(slot int)      { b[slot/64] |= 1 << (slot % 64) }

// rows is how many slots are taken.
func (s *snapshot) rows() int { return len(s.passages) }

func (s *snapshot) row(slot int) []float32 {
	at := slot % blockRows * s.dims
	return s.blocks[slot/blockRows][at : at+s.dims : at+s.dims]
}

// copied returns a copy to make the next snapshot of. Only one copy may be made
// of each snapshot: both share memory, and the copy's new passages go behind the
// last slot.
func (s *snapshot) copied() *snapshot {
	c := *s
	c.blocks = slices.Clone(s.blocks)
	c.dead = slices.Clone(s.dead)
	return &c
}

// add puts a passage into a new slot.
func (s *snapshot) add(p messages.Passage, vector []float32) uint32 {
	slot := len(s.passages)
	if slot/blockRows == len(s.blocks) {
		s.blocks = append(s.blocks, make([]float32, blockRows*s.dims))
	}
	if slot/64 == len(s.dead) {
		s.dead = append(s.dead, 0)
	}
	s.passages = append(s.passages, p)
	copy(s.row(slot), vector)
	s.live++
	return uint32(slot)
}

func (s *snapshot) remove(slots []uint32) {
	for _, slot := range slots {
		s.dead.set(int(slot))
		s.live--
	}
}

// crowded reports whether so many slots are dead that it is time to compact.
func (s *snapshot) crowded() bool {
	dead := s.rows() - s.live
	return dead > blockRows && dead > s.rows()/4
}

// compact returns s without the dead slots, in memory of its own, and where
// each document's passages are in it.
func (s *snapshot) compact(where map[string][]uint32) (*snapshot, map[string][]uint32) {
	c := &snapshot{dims: s.dims, documents: s.documents, position: s.position, sketcher: s.sketcher}
	c.passages = make([]messages.Passage, 0, s.live+s.live/8)
	moved := make([]uint32, s.rows()) // by old slot
	for slot, p := range s.passages {
		if !s.dead.has(slot) {
			moved[slot] = c.add(p, s.row(slot))
			if c.sketcher == nil {
				continue
			}
			if at := slot * c.sketcher.words(); at < len(s.sketches) {
				c.sketches = append(c.sketches, s.sketches[at:at+c.sketcher.words()]...)
			}
		}
	}
	to := make(map[string][]uint32, len(where))
	for id, slots := range where {
		now := make([]uint32, len(slots))
		for i, slot := range slots {
			now[i] = moved[slot]
		}
		to[id] = now
	}
	return c, to
}
