package bleve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/index/lang"
)

// maxNear is how many terms a word that no passage has may stand for.
const maxNear = 8

// spelled returns the scored passages of a term that no passage has and that may be
// misspelt: those of the terms of the index that are a slip of the pen away from it,
// the most frequent ones. Which of them is meant, the other words of the query
// decide: a passage gains once, by its rarest.
func (l *look) spelled(ctx context.Context, text []byte) (scored, error) {
	fuzzy, ok := l.r.(bleveapi.IndexReaderFuzzy)
	if !ok || !lang.Spellable(string(text)) {
		return scored{}, nil
	}
	key := append([]byte{0xfe}, text...) // which no term can begin with
	if found, ok := l.c.get(l.r, key); ok {
		return found, nil
	}
	terms, err := near(fuzzy, string(text))
	if err != nil {
		return scored{}, err
	}
	gains := map[uint32]float64{}
	for _, t := range terms {
		found, err := l.term(ctx, []byte(t))
		if err != nil {
			return scored{}, err
		}
		for i, num := range found.nums {
			gains[num] = max(gains[num], found.gains[i])
		}
	}
	var all scored
	for _, num := range slices.Sorted(maps.Keys(gains)) {
		all.nums = append(all.nums, num)
		all.gains = append(all.gains, gains[num])
	}
	if l.c.reserve(l.r, len(all.nums)+termCost) {
		l.c.put(l.r, key, all)
	}
	return all, nil
}

// near returns the terms of the index that are one slip away from word, the most
// frequent first.
func near(r bleveapi.IndexReaderFuzzy, word string) ([]string, error) {
	_, first := utf8.DecodeRuneInString(word)
	dict, err := r.FieldDictFuzzy(fieldBody, word, 1, word[:first])
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	type entry struct {
		term  string
		count uint64
	}
	var all []entry
	for {
		e, err := dict.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		if lang.Misspelt(word, e.Term) {
			all = append(all, entry{e.Term, e.Count})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.term, b.term))
	})
	var out []string
	for _, e := range all[:min(maxNear, len(all))] {
		out = append(out, e.term)
	}
	return out, nil
}
