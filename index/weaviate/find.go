package weaviate

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"

	"hopstream/index"
	"hopstream/index/lang"
	"hopstream/messages"
)

const (
	// maxRepeats is how often a word stands in a query at most, to count more.
	maxRepeats = 32
	// growth is how many times more results are asked for when too few are left.
	growth = 4
)

// Find returns the k passages that fit q best (at most 10,000), best first and,
// of equal scores, by ID; Rank counts from 1. The store's mode makes no
// difference. A query that says only what is not wanted finds nothing.
//
// The server's search by words knows neither boosts nor phrases nor words to
// leave out, so that here a word that counts more is repeated, which is the same
// to the server; a phrase is a search of its own for its words, of whose results
// those count that hold it; and what holds a word that is not wanted is dropped
// from the results, of which more are fetched until enough are left. A passage
// that is far down in one of these searches counts by the others alone.
func (s *Store) Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	f := s.parts(q)
	if k <= 0 || len(f.searches) == 0 {
		return nil, nil
	}
	k = min(k, maxResults)
	for limit := min(k+maxTies, maxResults); ; limit = min(growth*limit, maxResults) {
		found, more, err := f.run(ctx, limit)
		if err != nil {
			return nil, err
		}
		if len(found) < k && more && limit < maxResults {
			continue
		}
		found = found[:min(k, len(found))]
		if len(found) == 0 {
			return nil, nil
		}
		for i := range found {
			found[i].Rank = i + 1
		}
		return found, nil
	}
}

// finding is a structured query as searches by words.
type finding struct {
	store    *Store
	searches []search
	not      [][]string // as tokens
}

// search is one search by words.
type search struct {
	words  string
	weight float64
	phrase []string // what a result must hold to count, as tokens; nil: anything
	must   bool     // a passage that is not among those that count is dropped
}

// parts takes a query apart.
func (s *Store) parts(q index.Query) *finding {
	f := &finding{store: s}
	if words, unit := repeated(q.Words); words != "" {
		f.searches = append(f.searches, search{words: words, weight: 1 / unit})
	}
	for _, w := range q.Words {
		if w.Phrase {
			f.phrase(w.Text, boost(w), false)
		}
	}
	for _, p := range q.Phrases {
		f.phrase(p, 1, true)
	}
	for _, n := range q.Not {
		if tokens := content(n); tokens != nil {
			f.not = append(f.not, tokens)
		}
	}
	return f
}

// phrase adds the search for a phrase, unless nothing is left of it without
// structure words.
func (f *finding) phrase(text string, weight float64, must bool) {
	words, any := clean(text)
	if tokens := content(words); any && tokens != nil {
		f.searches = append(f.searches, search{words, weight, tokens, must})
	}
}

// repeated writes words one after the other, each as often as it counts. What
// counts once stands there unit times.
func repeated(words []index.Word) (text string, unit float64) {
	least := 1.0
	for _, w := range words {
		if !w.Phrase {
			least = min(least, boost(w))
		}
	}
	unit = math.Round(min(1/least, maxRepeats))
	var all []string
	for _, w := range words {
		words, any := clean(w.Text)
		if !any || w.Phrase {
			continue
		}
		n := min(max(1, int(math.Round(boost(w)*unit))), maxRepeats)
		all = append(all, slices.Repeat([]string{words}, n)...)
	}
	return strings.Join(all, " "), unit
}

// boost is how many times a word counts.
func boost(w index.Word) float64 {
	if w.Boost == 0 || w.Boost != w.Boost {
		return 1
	}
	return min(max(w.Boost, 1.0/1000), 1000)
}

// run makes the searches for limit results each, and returns the passages that
// are left, best first. It reports whether a higher limit may find more.
func (f *finding) run(ctx context.Context, limit int) (found []messages.Passage, more bool, err error) {
	at := map[string]int{} // in found, by ID
	var counted []int      // how many searches that must find a passage did
	musts := 0
	for _, q := range f.searches {
		hits, err := f.store.hits(ctx, q.words, limit)
		if err != nil {
			return nil, false, err
		}
		more = more || len(hits) == limit
		if q.must {
			musts++
		}
		for i := range hits {
			p := &hits[i]
			if q.phrase != nil && !holds(p, q.phrase) {
				continue
			}
			n, ok := at[p.ID]
			if !ok {
				n = len(found)
				at[p.ID] = n
				found, counted = append(found, *p), append(counted, 0)
				found[n].Score = 0
			}
			found[n].Score += q.weight * p.Score
			if q.must {
				counted[n]++
			}
		}
	}
	left := found[:0]
	for n := range found {
		unwanted := func(tokens []string) bool { return holds(&found[n], tokens) }
		if counted[n] == musts && !slices.ContainsFunc(f.not, unwanted) {
			left = append(left, found[n])
		}
	}
	slices.SortFunc(left, func(a, b messages.Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return left, more, nil
}

// hits are the best passages by words, with their scores.
func (s *Store) hits(ctx context.Context, words string, limit int) ([]messages.Passage, error) {
	bm25 := s.conn.graphql.Bm25ArgBuilder().WithQuery(words).WithProperties(propTitle, propText)
	return s.fetch(ctx, limit, func(b *graphql.GetBuilder) { b.WithBM25(bm25) })
}

// tokens are the words of a text as the server's index has them.
func tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// content returns the tokens of a text, or nil where all of them are structure
// words, which are no reason to find or to drop a passage.
func content(text string) []string {
	all := tokens(text)
	if !slices.ContainsFunc(all, func(t string) bool { return !lang.IsStop(t) }) {
		return nil
	}
	return all
}

// holds reports whether the tokens stand next to each other, in that order, in a
// passage's title, the headings above it or its text.
func holds(p *messages.Passage, want []string) bool {
	for _, text := range []string{p.Title, p.Heading, p.Text} {
		have := tokens(text)
		for i := 0; i+len(want) <= len(have); i++ {
			if slices.Equal(have[i:i+len(want)], want) {
				return true
			}
		}
	}
	return false
}
