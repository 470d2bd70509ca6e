package builtin

import (
	"context"
	"math"
	"math/bits"

	"hopstream/index/lang"
	"hopstream/messages"
)

// maxPassage bounds how much of a passage is read to judge it, in bytes.
const maxPassage = 16 << 10

// Relevant judges which passages are worth reading for query: at most
// Options.Keep, at least the best. What counts is the share of the query's
// words a passage holds, rare ones among the passages counting more; its best
// single sentence; its title; and its rank. Passages are chosen one by one,
// words already found counting less, so that a query about two things finds
// both.
func (e *Engine) Relevant(_ context.Context, text string, passages []messages.Passage) ([]bool, error) {
	out := make([]bool, len(passages))
	if len(passages) == 0 {
		return out, nil
	}
	q := parseQuery(text)
	sc := e.take()
	defer e.give(sc)
	read := make([]reading, len(passages))
	for i := range passages {
		read[i] = readPassage(sc, &q, &passages[i], i)
	}
	weighRead(&q, read)
	best := float32(math.Inf(-1))
	var found uint64
	for range min(e.opts.Keep, len(passages)) {
		at, top := -1, float32(math.Inf(-1))
		for i := range read {
			if out[i] {
				continue
			}
			f := read[i].features(&q, found)
			if s := dot(f[:], relevanceWeights[:]); s > top {
				at, top = i, s
			}
		}
		best = max(best, top)
		if top < best-relevanceMargin {
			break
		}
		out[at] = true
		found |= read[at].all
	}
	return out, nil
}

// weighRead weighs the terms by how few of the passages hold them.
func weighRead(q *query, read []reading) {
	var df [maxTerms]int
	for i := range read {
		for set := read[i].all; set != 0; set &= set - 1 {
			df[bits.TrailingZeros64(set)]++
		}
	}
	n := float64(len(read))
	q.total = 0
	for i := range q.terms {
		idf := math.Log(1+(n-float64(df[i])+0.5)/(float64(df[i])+0.5)) + 0.25
		if df[i] == 0 {
			idf = 0 // nobody can have it
		}
		q.terms[i].weight *= float32(idf)
		q.total += q.terms[i].weight
	}
}

// reading is what was found in a passage.
type reading struct {
	all    uint64 // terms in title or text
	title  uint64
	best   uint64 // terms of the best sentence
	titleN int    // content words of the title
	shared int    // those that are terms
	rank   int
}

func readPassage(sc *scratch, q *query, p *messages.Passage, i int) reading {
	r := reading{rank: i}
	sc.toks = lang.AppendTokens(sc.toks[:0], clip(p.Title, 512))
	for j := range sc.toks {
		if t := &sc.toks[j]; !t.Stop {
			r.titleN++
			if k := q.find(t.Hash); k >= 0 {
				r.title |= 1 << k
				r.shared++
			}
		}
	}
	r.all = r.title
	sc.toks = lang.AppendTokens(sc.toks[:0], clip(p.Text, maxPassage))
	var set uint64
	var top float32
	end := func() {
		if w := q.weigh(set); w > top {
			r.best, top = set, w
		}
		r.all |= set
		set = 0
	}
	for j := range sc.toks {
		if sc.toks[j].First {
			end()
		}
		if k := q.find(sc.toks[j].Hash); k >= 0 {
			set |= 1 << k
		}
	}
	end()
	return r
}

// What is measured about a passage.
const (
	relAll   = iota // share of the query's weight anywhere in it
	relBest         // share in its best sentence, title included
	relTitle        // share in its title
	relNamed        // share of its title that the query names
	relRank         // 1/(1+rank)
	relWhole        // 1 where the query has the whole title
	relNew          // share found in it and in no passage already chosen
	relFeatures
)

func (r *reading) features(q *query, found uint64) (f [relFeatures]float32) {
	f[relAll] = q.share(r.all)
	f[relBest] = q.share(r.best | r.title)
	f[relTitle] = q.share(r.title)
	if r.titleN > 0 {
		f[relNamed] = float32(r.shared) / float32(r.titleN)
	}
	if r.titleN > 0 && r.shared == r.titleN {
		f[relWhole] = 1
	}
	f[relRank] = 1 / (1 + float32(r.rank))
	f[relNew] = q.share(r.all &^ found)
	return f
}

func dot(f, w []float32) (s float32) {
	for i, x := range f {
		s += x * w[i]
	}
	return s
}
