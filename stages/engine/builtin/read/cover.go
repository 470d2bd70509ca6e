package read

import (
	"math"
	"math/bits"
	"strings"

	"hopstream/index/document/blocks"
)

// What Cover says of a page.
const (
	cOwn      = iota // share of the question's weight in the best unit
	cAbove           // with the title and headings above
	cNear            // and the units beside it
	cWhole           // in the whole text of the best unit
	cAll             // in any text
	cMissing         // of the weight of the rarest word, where no text has it
	cRarest          // the rarest word is in the best unit or above it
	cNames           // share of the question's names in the best unit or above
	cNameAll         // share of the question's names in any text
	cShare           // logarithm of the best unit's share of all
	cScore           // its score, in tens
	cMargin          // by how much it is better than the best of another text
	cRank            // 1/(1+its text's rank)
	cTerms           // logarithm of the number of the question's content words
	cUnits           // logarithm of the number of units
	cFull            // 1 where the best unit and what is above have all
	cSections        // 1 where the best unit's text has headings: a document with an order of its own
	cCode            // 1 where the best unit is code, or has some in it
	cListed          // 1 where it is a list item or a row
	cThrough         // share of the question's weight with the texts that name it, and that it names
	covers
)

// Cover says how far the best unit, and all texts, cover the question.
func (p *Page) Cover() (f [covers]float32) {
	q := p.Q
	best := p.Best()
	if best < 0 {
		return f
	}
	u := &p.Units[best]
	all := uint64(0)
	for _, set := range p.whole {
		all |= set
	}
	above := u.set | u.above
	f[cOwn], f[cAbove] = q.share(u.set), q.share(above)
	f[cNear], f[cWhole], f[cAll] = q.share(above|u.near), q.share(p.whole[u.Text]), q.share(all)
	if q.rarest >= 0 {
		if bit := uint64(1) << q.rarest; all&bit == 0 {
			f[cMissing] = q.share(bit)
		} else {
			f[cRarest] = indicator(above&bit != 0)
		}
	}
	if n := float32(bits.OnesCount64(q.names)); n > 0 {
		f[cNames] = float32(bits.OnesCount64(q.names&above)) / n
		f[cNameAll] = float32(bits.OnesCount64(q.names&all)) / n
	} else {
		f[cNames], f[cNameAll] = 1, 1
	}
	f[cShare] = float32(math.Log(float64(u.P) + 1e-6))
	f[cScore] = u.Score / 10
	second := float32(Least)
	for i := range p.Units {
		if o := &p.Units[i]; o.Text != u.Text && o.Kind != blocks.Heading {
			second = max(second, o.Score)
		}
	}
	f[cMargin] = min(1, (u.Score-second)/5)
	f[cRank] = 1 / float32(1+u.Text)
	f[cTerms], f[cUnits] = log1p(len(q.terms)), log1p(len(p.Units))
	f[cThrough] = q.share(above | p.in(u) | p.out(u))
	x := &p.Texts[u.Text]
	f[cSections] = indicator(x.Heading != "")
	f[cCode] = indicator(u.Kind == blocks.Code || strings.Contains(x.Text[u.Start:u.End], "`"))
	f[cListed] = indicator(u.Kind == blocks.Item || u.Kind == blocks.Table)
	f[cFull] = indicator(f[cAbove] > 0.99)
	return f
}

// Asked is a hash of what the question asks with.
func (q *Question) Asked() uint64 { return q.ask }

// BestObserved returns the numbered observations of the best unit.
func (p *Page) BestObserved() (f [uFeatures]float32) {
	if best := p.Best(); best >= 0 {
		o := p.observer()
		for _, x := range o.observe(best) {
			if x.At < uFeatures {
				f[x.At] = x.Value
			}
		}
	}
	return f
}

// Holding reports whether the best unit has a text, word for word, and the share
// of the softmax over all units of those that have it.
func (p *Page) Holding(text string) (best bool, share float64) {
	for i := range p.Units {
		u := &p.Units[i]
		if u.Kind != blocks.Heading && strings.Contains(p.Texts[u.Text].Text[u.Start:u.End], text) {
			share += float64(u.P)
			best = best || i == p.Best()
		}
	}
	return best, share
}
