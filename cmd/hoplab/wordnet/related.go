package wordnet

import (
	"maps"
	"slices"
	"strings"

	"hopstream/index/lang"
)

// frequent is how many of a word's senses count, the most frequent first.
const frequent = 4

// related returns, for stems, the stems after it in the alphabet that are related:
// of words that share a frequent sense, or are derived from each other.
func (d *database) related() map[string][]string {
	pairs := map[[2]string]bool{}
	add := func(a, b string) {
		if a, b = stem(a), stem(b); a != "" && b != "" && a != b {
			pairs[[2]string{min(a, b), max(a, b)}] = true
		}
	}
	for _, words := range d.senses {
		for word, senses := range words {
			for _, at := range senses[:min(len(senses), frequent)] {
				s := d.synsets[at]
				if s == nil {
					continue
				}
				for _, o := range s.words {
					add(word, o)
				}
				for _, x := range s.pointers {
					if x.symbol == derived && d.word(at, x.from) == word {
						add(word, d.word(x.to, x.at))
					}
				}
			}
		}
	}
	out := map[string][]string{}
	for _, pair := range slices.SortedFunc(maps.Keys(pairs), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		out[pair[0]] = append(out[pair[0]], pair[1])
	}
	return out
}

// stem returns the stem of a word of content that English texts have in small
// letters, and else "".
func stem(word string) string {
	s := lang.Stem(word)
	if len(s) < 3 || strings.ContainsAny(word, "_-.'0123456789/") || lang.IsStop(word) || !lang.IsWord(s) {
		return ""
	}
	return s
}
