package read

import (
	"cmp"
	"slices"

	"hopstream/index/lang"
)

// related are the words that mean nearly what a term of a question does, as WordNet
// has it, by their hash.
type related struct {
	words []relatedWord
	bloom [8]uint64
}

type relatedWord struct {
	hash  uint64
	terms uint64 // the terms it is related to
}

// add adds what is related to a term; sort is called after the last.
func (r *related) add(hash uint64, term int) {
	for _, h := range lang.Related(hash) {
		r.words = append(r.words, relatedWord{h, 1 << term})
		r.bloom[h>>6&7] |= 1 << (h & 63)
	}
}

func (r *related) sort() {
	slices.SortFunc(r.words, func(a, b relatedWord) int { return cmp.Compare(a.hash, b.hash) })
	n := 0
	for _, w := range r.words {
		if n > 0 && r.words[n-1].hash == w.hash {
			r.words[n-1].terms |= w.terms
			continue
		}
		r.words[n] = w
		n++
	}
	r.words = r.words[:n]
}

// find returns the terms that the word with the hash h is related to.
func (r *related) find(h uint64) uint64 {
	if r.bloom[h>>6&7]>>(h&63)&1 == 0 {
		return 0
	}
	if i, ok := slices.BinarySearchFunc(r.words, h, func(w relatedWord, h uint64) int { return cmp.Compare(w.hash, h) }); ok {
		return r.words[i].terms
	}
	return 0
}
