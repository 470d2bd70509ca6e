package links

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// SampleSize is how many passages a Sample should have. With 2,000 of 10,000
// the order of what is found is about as good as with all.
const SampleSize = 2000

// Sample estimates from some passages how common words are in a corpus that is
// stored elsewhere. Its counts are used as they are, not scaled up to the size of
// the corpus: the weights were fitted on corpora of a few thousand passages. It
// must not change once it is in use.
type Sample struct {
	passages int
	terms    int64
	df       map[string]int32 // by stem
}

// NewSample returns the sample of ps, which should be a random choice.
func NewSample(ps []messages.Passage) *Sample {
	s := &Sample{passages: len(ps), df: map[string]int32{}}
	seen := map[string]bool{}
	for _, p := range ps {
		clear(seen)
		for _, text := range []string{p.Title, p.Text, p.Above()} {
			toks := lang.Tokens(text)
			toks = toks[:min(len(toks), maxTokens)]
			for i := range toks {
				t := &toks[i]
				if t.Stop {
					continue
				}
				if s.terms++; seen[t.Stem] {
					continue
				}
				stem := strings.Clone(t.Stem) // t.Stem is part of the whole text
				seen[stem] = true
				s.df[stem]++
			}
		}
	}
	return s
}
