package lang

import (
	_ "embed"
	"strings"
	"sync"
)

// relatedText is what is kept of WordNet 3.0, whose licence is in
// related.license.txt: a line for each stem, with those after it that share a sense
// with it or are derived from it. "hoplab wordnet" writes it.
//
//go:embed related.txt
var relatedText string

// related is relatedText by the hashes of stems, both ways, read when it is first
// needed.
var related = sync.OnceValue(func() map[uint64][]uint64 {
	m := make(map[uint64][]uint64, 1<<14)
	for line := range strings.Lines(relatedText) {
		var first uint64
		for stem := range strings.FieldsSeq(line) {
			h := hash(stem)
			if first == 0 {
				first = h
				continue
			}
			m[first] = append(m[first], h)
			m[h] = append(m[h], first)
		}
	}
	return m
})

// Related returns the hashes of the stems that mean nearly the same as the one
// with the hash h, or are derived from it: erase for delete, lead for direct. Nobody
// may change them.
func Related(h uint64) []uint64 { return related()[h] }
