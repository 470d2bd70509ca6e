package links

import (
	"math"
	"slices"
)

// digest is the part of a passage that a corpus keeps in memory: what BM25 needs,
// and the names that the passage may be called by.
type digest struct {
	id     string
	length int32 // terms
	keys   []key
	terms  []occurrence // by stem, ascending
}

// occurrence is how often a passage has a stem.
type occurrence struct {
	stem int32
	freq uint16
}

// key is one of the names that a passage may be called by.
type key struct {
	hash  uint64 // of its words' numbers
	first uint32 // the number of its first word
	toks  uint8
	weak  bool // an alias
}

// digest returns p's digest. buf is scratch memory.
func (p *passage) digest(buf *[]int32) digest {
	d := digest{id: p.id, length: p.length, keys: p.keysOf()}
	stems := (*buf)[:0]
	for _, t := range p.toks {
		if t.stem >= 0 {
			stems = append(stems, t.stem)
		}
	}
	slices.Sort(stems)
	*buf = stems
	n := 0
	for i, s := range stems {
		if i == 0 || s != stems[i-1] {
			n++
		}
	}
	d.terms = make([]occurrence, 0, n)
	for i, s := range stems {
		if i == 0 || s != stems[i-1] {
			d.terms = append(d.terms, occurrence{s, 1})
		} else if last := &d.terms[len(d.terms)-1]; last.freq < math.MaxUint16 {
			last.freq++
		}
	}
	return d
}

// keysOf returns p's keys without its words.
func (p *passage) keysOf() []key {
	keys := make([]key, len(p.keys))
	for i, s := range p.keys {
		toks := p.toks[s.from:s.to]
		keys[i] = key{keyOf(toks), toks[0].norm, uint8(len(toks)), s.weak}
	}
	return keys
}

// posting is a passage that has a stem, and how often: the passage's number in
// the upper 26 bits, the frequency in the lower six. Frequencies that do not
// fit stand in corpus.often.
type posting uint32

const (
	freqBits    = 6
	many        = 1<<freqBits - 1 // and more
	maxPassages = 1 << (32 - freqBits)
)

func newPosting(num int32, freq uint16) posting {
	return posting(num)<<freqBits | posting(min(freq, many))
}

func (p posting) num() int32 { return int32(p >> freqBits) }

// place names a posting whose frequency does not fit.
type place struct{ stem, num int32 }
