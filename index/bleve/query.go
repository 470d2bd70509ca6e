package bleve

import (
	"context"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"hopstream/index"
	"hopstream/messages"
)

// maxBoost is the most that a word counts, and 1/maxBoost the least.
const maxBoost = 1000

func boost(w index.Word) float64 {
	if w.Boost == 0 || w.Boost != w.Boost {
		return 1
	}
	return min(max(w.Boost, 1/float64(maxBoost)), maxBoost)
}

// Find returns the k passages with the highest BM25 score for q, best first
// and, of equal scores, by ID. Rank counts from 1. A query that says only what
// is not wanted finds nothing, as does one that no passage satisfies, which is
// no error.
func (b *Store) Find(ctx context.Context, q index.Query, k int) (found []messages.Passage, err error) {
	words, optional := b.weighted(q.Words)
	phrases, not := b.phrases(q.Phrases), b.phrases(q.Not)
	err = b.look(ctx, func(l *look) error {
		if k <= 0 {
			return nil
		}
		for _, w := range words {
			if err := l.addWord(ctx, w); err != nil {
				return fmt.Errorf("search for %q: %w", w.text, err)
			}
		}
		for _, p := range optional {
			found, err := l.phrase(ctx, p.phrase)
			if err != nil {
				return fmt.Errorf("search for %q: %w", p.key, err)
			}
			l.add(found, p.weight)
		}
		if err := l.require(ctx, phrases); err != nil {
			return err
		}
		if err := l.exclude(ctx, not); err != nil {
			return err
		}
		found, err = l.s.best(ctx, l.r, k)
		return err
	})
	return found, err
}

// Frequency returns how many passages hold a word, or several words next to
// each other in that order.
func (b *Store) Frequency(ctx context.Context, word string) (passages int, err error) {
	ps := b.phrases([]string{word})
	err = b.look(ctx, func(l *look) error {
		if len(ps) == 0 {
			return nil
		}
		found, err := l.phrase(ctx, ps[0])
		passages = len(found.nums)
		return err
	})
	return passages, err
}

// weighted is one distinct term of a query's words.
type weighted struct {
	text   []byte
	weight float64
}

// weightedPhrase is a phrase that counts where it stands.
type weightedPhrase struct {
	phrase
	weight float64
}

// weighted analyzes words into their distinct terms, in order of appearance, and
// the phrases among them.
func (b *Store) weighted(words []index.Word) (out []weighted, phrases []weightedPhrase) {
	at := map[string]int{}
	for _, w := range words {
		if w.Phrase {
			for _, p := range b.phrases([]string{w.Text}) {
				phrases = append(phrases, weightedPhrase{p, boost(w)})
			}
			continue
		}
		for _, t := range b.analyze(w.Text) {
			i, ok := at[string(t.Term)]
			if !ok {
				i = len(out)
				at[string(t.Term)] = i
				out = append(out, weighted{text: t.Term})
			}
			out[i].weight += boost(w)
		}
	}
	return out, phrases
}

// analyze returns what of any text is looked for in the index.
func (b *Store) analyze(text string) analysis.TokenStream {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return b.analyzer.Analyze([]byte(strings.ToValidUTF8(text, " ")))
}
