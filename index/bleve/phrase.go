package bleve

import (
	"context"
	"encoding/binary"
	"slices"

	bleveapi "github.com/blevesearch/bleve_index_api"
)

// phrase is a text as the index holds it: terms, and how far each stands
// behind the first. Structure words between them leave a gap, which the
// passage must have as well.
type phrase struct {
	terms [][]byte
	at    []uint64
	key   string // in the cache; no term has it unless it is that one
}

// phrases analyzes texts; those of which nothing is left are left out.
func (b *Store) phrases(texts []string) []phrase {
	var out []phrase
	for _, text := range texts {
		tokens := b.analyze(text)
		if len(tokens) == 0 {
			continue
		}
		var p phrase
		key := []byte{}
		for _, t := range tokens {
			p.terms = append(p.terms, t.Term)
			p.at = append(p.at, uint64(t.Position-tokens[0].Position))
			key = append(key, 0xff) // which no term can hold
			key = binary.AppendUvarint(key, p.at[len(p.at)-1])
			key = append(key, t.Term...)
		}
		if p.key = string(key); len(tokens) == 1 {
			p.key = string(p.terms[0])
		}
		out = append(out, p)
	}
	return out
}

// phrase returns the scored passages that hold p. They are the caller's to
// keep, but not to change.
func (l *look) phrase(ctx context.Context, p phrase) (scored, error) {
	if len(p.terms) == 1 {
		found, err := l.term(ctx, p.terms[0])
		return scored{slices.Clone(found.nums), slices.Clone(found.gains)}, err
	}
	if found, ok := l.c.get(l.r, []byte(p.key)); ok {
		return found, nil
	}
	var all []uint32 // that hold all terms
	for i, t := range p.terms {
		found, err := l.term(ctx, t)
		switch {
		case err != nil:
			return scored{}, err
		case i == 0:
			all = slices.Clone(found.nums)
		default:
			all = intersect(all, found.nums)
		}
		if len(all) == 0 {
			return scored{}, nil
		}
	}
	found, err := l.adjacent(ctx, p, all)
	if err == nil && l.c.reserve(l.r, len(found.nums)+termCost) {
		l.c.put(l.r, []byte(p.key), found)
	}
	return found, err
}

// intersect keeps the elements of a that are in b; both ascend.
func intersect(a, b []uint32) []uint32 {
	out := a[:0]
	for _, x := range a {
		i, found := slices.BinarySearch(b, x)
		b = b[i:]
		if found {
			out = append(out, x)
		}
	}
	return out
}

// adjacent reads the positions of p's terms in the passages nums, which hold
// them all, and scores those in which they stand as in p: BM25 of a term that
// stands that often in those passages.
func (l *look) adjacent(ctx context.Context, p phrase, nums []uint32) (scored, error) {
	readers := make([]*positions, len(p.terms))
	for i, t := range p.terms {
		r, err := l.r.TermFieldReader(ctx, t, fieldBody, true, true, true)
		if err != nil {
			return scored{}, err
		}
		defer r.Close()
		readers[i] = &positions{reader: r}
	}
	var out scored
	var lengths []float64
	internal := bleveapi.NewIndexInternalID(nil, 0)
	for n, num := range nums {
		if n%256 == 0 {
			if err := ctx.Err(); err != nil {
				return scored{}, err
			}
		}
		internal.SetValue(uint64(num))
		for _, r := range readers {
			if err := r.advance(internal); err != nil {
				return scored{}, err
			}
		}
		if often := occurrences(readers, p.at); often > 0 {
			out.nums = append(out.nums, num)
			out.gains = append(out.gains, often)
			lengths = append(lengths, readers[0].length)
		}
	}
	score := l.m.of(len(out.nums))
	for i, often := range out.gains {
		out.gains[i] = score.gain(often, lengths[i])
	}
	return out, nil
}

// positions are where a term stands in a passage.
type positions struct {
	reader bleveapi.TermFieldReader
	doc    bleveapi.TermFieldDoc
	at     []uint64
	length float64 // of the passage
}

// advance goes on to the passage id, which must come after the last one and
// hold the term.
func (p *positions) advance(id bleveapi.IndexInternalID) error {
	p.at = p.at[:0]
	d, err := p.reader.Advance(id, &p.doc)
	if err != nil || d == nil || d.ID.Compare(id) != 0 {
		return err
	}
	p.length = lengthOf(d.Norm)
	for _, v := range d.Vectors {
		p.at = append(p.at, v.Pos)
	}
	slices.Sort(p.at)
	return nil
}

// occurrences returns how often the terms stand as far from each other as
// wanted.
func occurrences(readers []*positions, at []uint64) (often float64) {
next:
	for _, first := range readers[0].at {
		for i, r := range readers[1:] {
			if _, found := slices.BinarySearch(r.at, first+at[i+1]); !found {
				continue next
			}
		}
		often++
	}
	return often
}
