package read

import (
	"math/bits"

	"hopstream/index/document/blocks"
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
)

// Bounds on what is read of a passage, in bytes, and of all.
const (
	maxText  = 16 << 10
	maxTitle = 512
	maxUnits = 2000
)

// Text is what a question is read against: a passage, or a window of one.
type Text struct {
	ID, Title, Heading string
	Text               string
}

// Unit is a sentence, list item, row or block of code of a text, judged.
type Unit struct {
	blocks.Unit         // bytes of the text
	Text        int     // the text's index
	Score       float32 // the model's; higher is nearer to an answer
	P           float32 // share of the softmax over all units' scores

	set      uint64 // the question's terms in it
	like     uint64 // those of which a related word is in it
	above    uint64 // in the title and headings above it
	likeUp   uint64 // those of which a related word is there
	near     uint64 // in the units beside it
	names    uint64 // the other texts that it names
	from, to int    // its tokens
}

// Page is texts read for a question.
type Page struct {
	Q     *Question
	Texts []Text
	Units []Unit // in the order of the texts, headings among them
	toks  []lang.Token
	whole []uint64 // per text: the terms anywhere in it
	links linked

	// Memory of one reading, used again by another.
	parsed   []blocks.Block
	cut      []blocks.Unit
	observed linear.Features
	scores   []float64
}

// read cuts texts into units and finds the question's terms in them.
func (p *Page) read(q *Question, texts []Text) {
	p.Q, p.Texts, p.Units, p.toks, p.whole = q, texts, p.Units[:0], p.toks[:0], append(p.whole[:0], make([]uint64, len(texts))...)
	var df [maxTerms]int
	for i := range texts {
		x := &texts[i]
		text := clip(x.Text, maxText)
		x.Text = text
		p.parsed = blocks.Append(p.parsed[:0], text)
		p.cut = blocks.AppendUnits(p.cut[:0], text, p.parsed)
		first := len(p.Units)
		base, baseLike := p.about(clip(x.Title, maxTitle), clip(x.Heading, maxTitle))
		p.whole[i] = base
		inside, insideLike := uint64(0), uint64(0) // in the last heading within the text
		for _, u := range p.cut {
			if len(p.Units) == maxUnits {
				break
			}
			n := Unit{Unit: u, Text: i, from: len(p.toks)}
			p.toks = lang.AppendTokens(p.toks, text[u.Start:u.End])
			n.to = len(p.toks)
			for k := n.from; k < n.to; k++ { // of the text, not of the unit
				p.toks[k].Start += u.Start
				p.toks[k].End += u.Start
			}
			n.set, n.like = q.in(p.toks[n.from:n.to])
			if u.Kind == blocks.Heading {
				inside, insideLike = n.set, n.like
			}
			n.above, n.likeUp = base|inside, baseLike|insideLike
			p.whole[i] |= n.set
			for set := n.set; set != 0; set &= set - 1 {
				df[bits.TrailingZeros64(set)]++
			}
			p.Units = append(p.Units, n)
		}
		for k := first; k < len(p.Units); k++ {
			if k > first {
				p.Units[k].near |= p.Units[k-1].set
			}
			if k+1 < len(p.Units) {
				p.Units[k].near |= p.Units[k+1].set
			}
		}
	}
	q.weigh(&df, len(p.Units))
	p.link()
}

// about returns the question's terms in a title and in headings, and those that a
// word there is related to.
func (p *Page) about(titles ...string) (set, like uint64) {
	at := len(p.toks)
	for _, title := range titles {
		p.toks = lang.AppendTokens(p.toks[:at], title)
		s, l := p.Q.in(p.toks[at:])
		set, like = set|s, like|l
	}
	p.toks = p.toks[:at]
	return set, like
}
