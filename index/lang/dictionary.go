package lang

import (
	_ "embed"
	"strings"
)

// dictionary is a Bloom filter of the stems that English texts have in small
// letters, two bits for each. TestDictionary writes it.
//
//go:embed dictionary.bin
var dictionary string

// dictionaryBits is the size of the filter: 64 KB.
const dictionaryBits = 19

// IsWord reports whether a stem is that of an English word, as far as encyclopedic
// text has it in small letters. Of other words it says so of two in a
// thousand.
func IsWord(stem string) bool {
	a, b := dictionaryPlaces(stem)
	return dictionary[a>>3]>>(a&7)&1 == 1 && dictionary[b>>3]>>(b&7)&1 == 1
}

// dictionaryPlaces returns the two bits of a stem.
func dictionaryPlaces(stem string) (a, b uint32) {
	h := Hash(stem) * 0x9e3779b97f4a7c15
	return uint32(h >> (64 - dictionaryBits)), uint32(h) >> (32 - dictionaryBits)
}

// commonWords are the words that encyclopedic and everyday English text uses
// most in lower case, one form of each stem.
//
//go:embed common.txt
var commonWords string

var commonStems = func() map[string]struct{} {
	f := strings.Fields(commonWords)
	m := make(map[string]struct{}, len(f))
	for _, w := range f {
		m[Stem(w)] = struct{}{}
	}
	return m
}()

// IsCommon reports whether a stem is that of an everyday word. What is not
// is likely to be a name or a term, however it is written.
func IsCommon(stem string) bool {
	_, ok := commonStems[stem]
	return ok
}
