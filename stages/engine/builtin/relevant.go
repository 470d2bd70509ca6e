package builtin

import (
	"context"
	"math"
	"math/bits"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

// Relevant judges which passages are worth reading for query: the
// Options.Keep best, or all where there are no more. What counts is how well
// the searcher that found them ranks them; the query's words a passage holds,
// rare ones among the passages counting more, in its best sentence and in its
// title; whether its title is an answer of the class asked for; and, as
// passages are chosen one by one, what it adds to those already chosen: words
// that none of them has, so that a query about two things finds both, and a
// title that one of them names, to which a chain of facts leads on.
//
//	relevant.go          choosing
//	relevant_read.go     what is found in a passage
//	relevant_feature.go  what that is worth
func (e *engine) Relevant(_ context.Context, text string, passages []messages.Passage) ([]bool, error) {
	out := make([]bool, len(passages))
	if len(passages) == 0 {
		return out, nil
	}
	texts := make([]read.Text, len(passages))
	for i := range texts {
		texts[i] = read.Text{Title: passages[i].Title, Text: clip(passages[i].Text, maxPassage)}
	}
	q := parseQuery(read.Respelled(text, texts))
	c := choose(&q, readPassages(&q, passages), e.opts.Keep, &relevanceWeights)
	for i := range out {
		out[i] = c.read[i].chosen
	}
	return out, nil
}

// choice is passages being chosen.
type choice struct {
	q     *query
	read  []reading
	found uint64 // terms of those chosen
}

// choose chooses the keep passages that weights value most.
func choose(q *query, read []reading, keep int, weights *[relFeatures]float32) *choice {
	c := &choice{q: q, read: read}
	for range min(keep, len(read)) {
		at, top := -1, float32(math.Inf(-1))
		for i := range read {
			if read[i].chosen {
				continue
			}
			f := c.features(i)
			if s := dot(f[:], weights[:]); s > top || at < 0 {
				at, top = i, s
			}
		}
		c.take(at)
	}
	return c
}

// take chooses passage at, adds its terms to those found, and marks the other
// passages whose title it names.
func (c *choice) take(at int) {
	p := &c.read[at]
	p.chosen = true
	c.found |= p.all
	for i := range c.read {
		if r := &c.read[i]; !r.chosen {
			r.linked = r.linked || p.names(r)
		}
	}
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
			idf = 0 // no passage holds it, so it tells none from another
		}
		q.terms[i].weight *= float32(idf)
		q.total += q.terms[i].weight
	}
}

func dot(f, w []float32) (s float32) {
	for i, x := range f {
		s += x * w[i]
	}
	return s
}
