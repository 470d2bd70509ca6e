package links

import (
	"strings"

	"hopstream/index/lang"
)

// vocabulary numbers the normal forms of words, from 1, and their stems. A stem
// follows from the normal form alone (lang.Stem), and gets its number with the
// first form that has it. So only the list of normal forms has to be stored, in
// the order of their numbers.
type vocabulary struct {
	numbers map[string]uint32 // by normal form
	norms   []string          // by number, from 0 for the first
	stemOf  []int32           // likewise: a stem, or structure
	stems   map[string]int32  // from 0
	stem    []string
}

// The values that stand for a missing stem.
const (
	structure = -1 // the word is a stop word
	unknown   = -2 // no passage has the word
)

// maxWords is how many different words there can be: a packed token has 28
// bits for one.
const maxWords = 1<<28 - 1

func newVocabulary(words int) vocabulary {
	return vocabulary{numbers: make(map[string]uint32, words), stems: make(map[string]int32, words/2)}
}

// number returns the number of t's normal form, which gets one if it has none.
func (v *vocabulary) number(t *lang.Token) uint32 {
	if n, ok := v.numbers[t.Norm]; ok {
		return n
	}
	norm := strings.Clone(t.Norm) // t.Norm is part of a whole passage
	if t.Stop {
		return v.enter(norm, structure)
	}
	return v.enter(norm, v.stemNumber(norm, t.Stem))
}

// restore adds a stored normal form, which must be new.
func (v *vocabulary) restore(norm string) {
	if lang.IsStop(norm) {
		v.enter(norm, structure)
		return
	}
	v.enter(norm, v.stemNumber(norm, lang.Stem(norm)))
}

func (v *vocabulary) enter(norm string, stem int32) uint32 {
	v.norms, v.stemOf = append(v.norms, norm), append(v.stemOf, stem)
	n := uint32(len(v.norms))
	v.numbers[norm] = n
	return n
}

// stemNumber returns the number of a stem of norm.
func (v *vocabulary) stemNumber(norm, stem string) int32 {
	if n, ok := v.stems[stem]; ok {
		return n
	}
	if strings.HasPrefix(norm, stem) { // most are: they share their bytes
		stem = norm[:len(stem)]
	} else {
		stem = strings.Clone(stem)
	}
	n := int32(len(v.stem))
	v.stem = append(v.stem, stem)
	v.stems[stem] = n
	return n
}

// respelled returns the word that norm, which no passage has, is misspelt from: of
// the words one slip away the one that most passages have.
func (c *corpus) respelled(norm string) (number uint32, ok bool) {
	if !lang.Spellable(norm) {
		return 0, false
	}
	most := int32(0)
	for right := range lang.Respellings(norm) {
		n, found := c.numbers[right]
		if !found || c.stemOf[n-1] < 0 {
			continue
		}
		if df := c.freq(c.stemOf[n-1]); df > most || df == most && df > 0 && right < c.norm(number) {
			number, most = n, df
		}
	}
	return number, most > 0
}

// norm is the normal form of number n.
func (v *vocabulary) norm(n uint32) string { return v.norms[n-1] }
