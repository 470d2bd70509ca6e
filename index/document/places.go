package document

import (
	"fmt"
	"hash/maphash"
)

// places remembers where each document of a walk came from, so that no two
// are taken for one: a hash and two numbers each, however long the IDs are.
type places struct {
	seed maphash.Seed
	by   map[uint64]spot
}

// spot is where a document came from.
type spot struct {
	file  int32 // the source's number; that of stdin is one behind the last
	line  int32 // of the record; 0 where files have none, or it is not known
	parts bool  // it is not a document itself: its parts are
}

func newPlaces() places { return places{seed: maphash.MakeSeed(), by: map[uint64]spot{}} }

// take notes that the document id comes from at. It returns where another one
// of that ID came from, if there is one.
func (p *places) take(id string, at spot) (spot, bool) {
	whole, first, _ := Part(id)
	if first >= 0 {
		// The first part stands for the whole, too: a whole document and parts of
		// one are two documents of one ID.
		h := maphash.String(p.seed, whole)
		had, ok := p.by[h]
		if ok && (!had.parts || had.file != at.file || had.line != at.line) {
			return had, true
		}
		p.by[h] = spot{at.file, at.line, true}
	}
	h := maphash.String(p.seed, id)
	if had, ok := p.by[h]; ok {
		return had, true
	}
	p.by[h] = at
	return spot{}, false
}

// has reports whether id was taken, itself or in parts.
func (p *places) has(id string) bool {
	_, ok := p.by[maphash.String(p.seed, id)]
	return ok
}

// where names a spot for people.
func (r *reading) where(at spot) string {
	path := "stdin"
	if int(at.file) < len(r.sources) {
		path = r.sources[at.file].path
	}
	if at.line > 0 {
		return fmt.Sprintf("%s:%d", path, at.line)
	}
	return path
}

// Handed reports whether the document called id was handed on, itself or in
// parts.
func (f *Found) Handed(id string) bool { return f.places.has(id) }

// Failed reports whether something was wrong with the file whose document is
// called id, so that what was handed on of it may not be all.
func (f *Found) Failed(id string) bool { return f.failed[id] }
