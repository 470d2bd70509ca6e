package evidence

import (
	"math"
	"math/bits"

	"hopstream/index/document/blocks"
	"hopstream/index/lang"
	"hopstream/messages"
)

// maxTerms bounds the words of a question that count, so that a set of them is
// one number.
const maxTerms = 64

// terms are the content words of a question.
type terms struct {
	wanted lang.Wanted
	hash   []uint64
	weight []float64 // by how few units have the word
	total  float64   // of all weights
}

// termsOf returns the content words of a question, or all its words if it has
// no others.
func termsOf(question string) *terms {
	t := &terms{}
	toks := lang.Tokens(question)
	for _, all := range []bool{false, true} {
		for i := range toks {
			k := &toks[i]
			if k.Stop && !all || len(t.hash) == maxTerms || t.find(k.Hash) >= 0 {
				continue
			}
			t.hash = append(t.hash, k.Hash)
			t.wanted.Add(k.Stem)
		}
		if len(t.hash) > 0 {
			break
		}
	}
	return t
}

func (t *terms) find(hash uint64) int {
	if hash == 0 {
		return -1
	}
	for i, h := range t.hash {
		if h == hash {
			return i
		}
	}
	return -1
}

// in returns the terms that a text has.
func (t *terms) in(text string) (set uint64) {
	for sc := lang.Scan(text); sc.Next(); {
		if i := t.find(sc.Hash(&t.wanted)); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// weigh returns the weight of a set of terms.
func (t *terms) weigh(set uint64) (w float64) {
	for ; set != 0; set &= set - 1 {
		w += t.weight[bits.TrailingZeros64(set)]
	}
	return w
}

// unit is a unit of a passage and the terms it has.
type unit struct {
	blocks.Unit
	set   uint64
	twice uint64 // those it has more than once
}

// read is a passage made ready for alignment.
type read struct {
	units []unit
	about uint64 // the terms that title and headings have
}

// readAll reads passages, and weighs the terms by how few units have them.
func (t *terms) readAll(passages []messages.Passage) []read {
	out := make([]read, len(passages))
	df := make([]float64, len(t.hash))
	all := 0.0
	var parsed []blocks.Block
	var units []blocks.Unit
	for i := range passages {
		p := &passages[i]
		parsed = blocks.Append(parsed[:0], p.Text)
		units = blocks.AppendUnits(units[:0], p.Text, parsed)
		out[i] = t.read(p, units)
		for _, u := range out[i].units {
			for set := u.set; set != 0; set &= set - 1 {
				df[bits.TrailingZeros64(set)]++
			}
		}
		all += float64(len(units))
	}
	t.weight = make([]float64, len(t.hash))
	t.total = 0
	for i := range t.weight {
		t.weight[i] = math.Log(1 + (all-df[i]+0.5)/(df[i]+0.5))
		t.total += t.weight[i]
	}
	return out
}

func (t *terms) read(p *messages.Passage, units []blocks.Unit) read {
	r := read{units: make([]unit, len(units)), about: t.in(p.Title) | t.in(p.Heading)}
	for i, u := range units {
		r.units[i].Unit = u
	}
	at := 0
	for sc := lang.Scan(p.Text); sc.Next(); {
		i := t.find(sc.Hash(&t.wanted))
		if i < 0 {
			continue
		}
		for at < len(units) && units[at].End <= sc.Start {
			at++
		}
		if at == len(units) {
			break
		}
		u := &r.units[at]
		u.twice |= u.set & (1 << i)
		u.set |= 1 << i
	}
	return r
}
