package builtin

import (
	"context"
	"math"

	"hopstream/index/lang"
)

// dims is the length of the vectors Embed makes.
const dims = 256

// What a word is worth in a vector, by what it is.
const (
	embedStop   = 0.1
	embedCommon = 0.85
	embedWord   = 1.0
	embedName   = 0.8
	embedGram   = 0.1 // one character trigram of a content word
)

// Embed returns one vector of length 1 per text (all zeros for a text without
// words): signed hashes of stems and of character trigrams, structure words
// weighing little. Names weigh less than other words: within one passage they
// stand everywhere, and say little about which window of it to read.
func (e *engine) Embed(_ context.Context, texts []string) ([][]float32, error) {
	all := make([]float32, dims*len(texts))
	out := make([][]float32, len(texts))
	sc := e.take()
	defer e.give(sc)
	for i, s := range texts {
		v := all[i*dims : (i+1)*dims : (i+1)*dims]
		out[i] = v
		sc.toks = lang.AppendTokens(sc.toks[:0], clip(s, 64<<10))
		embedTokens(v, sc.toks)
	}
	return out, nil
}

func embedTokens(v []float32, toks []lang.Token) {
	for i := range toks {
		t := &toks[i]
		w := float32(embedWord)
		switch {
		case t.Stop:
			w = embedStop
		case t.Num || t.Cap && !t.First:
			w = embedName
		case lang.IsCommon(t.Stem):
			w = embedCommon
		}
		addHash(v, t.Hash, w)
		if t.Stop || t.Num || len(t.Stem) < 4 || len(t.Stem) > 24 {
			continue
		}
		for j := 0; j+3 <= len(t.Stem); j++ {
			h := uint64(t.Stem[j]) | uint64(t.Stem[j+1])<<8 | uint64(t.Stem[j+2])<<16
			addHash(v, h*0x9E3779B97F4A7C15, w*embedGram)
		}
	}
	var sum float32
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return
	}
	n := float32(1 / math.Sqrt(float64(sum)))
	for i := range v {
		v[i] *= n
	}
}

// addHash adds w at two places of h's, each with a sign of its own.
func addHash(v []float32, h uint64, w float32) {
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	h ^= h >> 32
	a, b := w, w
	if h>>60&1 == 1 {
		a = -w
	}
	if h>>61&1 == 1 {
		b = -w
	}
	v[h&(dims-1)] += a
	v[h>>16&(dims-1)] += b
}
