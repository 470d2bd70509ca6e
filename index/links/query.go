package links

import (
	"math/bits"
	"strings"

	"hopstream/index"
	"hopstream/index/lang"
)

const (
	maxQuestion = 4096 // bytes of a question that are read
	maxTerms    = 64   // distinct words of it that are searched for: bits of a mask
)

// query is one question on its way through the stages.
type query struct {
	c   *corpus
	d   *scratch
	r   *reader
	err error // of reading passages

	toks    []token
	terms   []term
	pairs   [][2]int  // neighbouring terms
	person  bool      // asks for somebody
	sum     float64   // idf of all words
	most    float64   // the highest BM25 score there can be
	names   uint64    // terms that are part of names
	nameSum float64   // their idf
	titles  []mention // titles in the question
	titled  uint64    // terms inside them

	cands []*candidate
	order []int32           // passages by BM25, best first
	top   float64           // the best score
	fifth float64           // the fifth best
	meant map[int32][]int32 // by entry: its passages, best first
}

type term struct {
	stem  int32
	idf   float64
	count int
}

// candidate is a passage that may be among the results.
type candidate struct {
	num   int32
	p     *passage
	bm25  float64
	rank  int    // by BM25, equals sharing one
	words uint64 // terms of the question it has
	title uint64 // those in its title
	first uint64 // those in its first sentence
	pairs float64

	nominee int       // the number, from 1, of the title in the question that may refer to it; 0: none
	base    []float32 // features without links
	score   float64   // of the last stage: a logit

	out, bridge links   // of the stage in progress
	sibling     float64 // the best seed's probability with the same title
	place       int     // by the score of the stage before, from 1, equals sharing one; 0 if it was not there
}

// newQuery reads a question. Words that no passage has only add to the total
// weight.
func newQuery(c *corpus, d *scratch, r *reader, question string) *query {
	if len(question) > maxQuestion {
		question = question[:maxQuestion]
	}
	question = strings.ToValidUTF8(question, " ")
	toks := lang.Tokens(question)
	q := &query{c: c, d: d, r: r, meant: map[int32][]int32{}}
	for i := range toks {
		t := &toks[i]
		n := token{norm: c.numbers[t.Norm], stem: structure}
		if !t.Stop {
			n.stem = unknown
			if stem, ok := c.stems[t.Stem]; ok && c.freq(stem) > 0 {
				n.stem = stem
			} else if right, ok := c.respelled(t.Norm); ok {
				n.norm, n.stem = right, c.stemOf[right-1]
			}
		}
		if t.Cap {
			n.flags |= capital
		}
		q.person = q.person || t.Norm == "who" || t.Norm == "whom" || t.Norm == "whose"
		q.toks = append(q.toks, n)
	}
	for _, s := range lang.Entities(question, toks) {
		for i := s.From; i < s.To; i++ {
			q.toks[i].flags |= named
		}
	}
	q.addTerms()
	q.titles = c.titles.match(nil, q.toks, 0, maxTerms)
	for _, m := range q.titles {
		for _, t := range q.toks[m.from:m.to] {
			if j, ok := q.term(t.stem); ok {
				q.titled |= 1 << j
			}
		}
	}
	return q
}

func (q *query) addTerms() {
	strange, before := 0.0, -1
	for _, t := range q.toks {
		if t.stem < 0 {
			if t.stem == unknown {
				strange += q.c.idf(0)
			}
			before = -1
			continue
		}
		j, ok := q.term(t.stem)
		if !ok {
			if len(q.terms) == maxTerms {
				before = -1
				continue
			}
			j = len(q.terms)
			q.d.terms.put(t.stem, j)
			q.terms = append(q.terms, term{stem: t.stem, idf: q.c.idf(q.c.freq(t.stem))})
		}
		if before >= 0 {
			q.pairs = append(q.pairs, [2]int{before, j})
		}
		before = j
		q.terms[j].count++
		if t.flags&named != 0 {
			q.names |= 1 << j
		}
	}
	for j, t := range q.terms {
		q.sum += t.idf
		q.most += t.idf * (index.DefaultK1 + 1) * float64(t.count)
		if q.names&(1<<j) != 0 {
			q.nameSum += t.idf
		}
	}
	q.sum += strange
}

// weight is the idf of the terms in mask.
func (q *query) weight(mask uint64) float64 {
	s := 0.0
	for ; mask != 0; mask &= mask - 1 {
		s += q.terms[bits.TrailingZeros64(mask)].idf
	}
	return s
}

// term returns which of the question's terms a stem is.
func (q *query) term(stem int32) (j int, ok bool) {
	if stem < 0 {
		return 0, false
	}
	return q.d.terms.get(stem)
}

// candidate returns the candidate num, or nil where it is none.
func (q *query) candidate(num int32) *candidate {
	if i, ok := q.d.numbers.get(num); ok {
		return q.cands[i]
	}
	return nil
}

// get returns candidate num, adding it if necessary, or nil if there are too many
// candidates.
func (q *query) get(num int32) *candidate {
	if c := q.candidate(num); c != nil {
		return c
	}
	if len(q.cands) == maxCandidates {
		return nil
	}
	q.d.numbers.put(num, len(q.cands))
	at := q.d.cells[num]
	q.d.candidates = append(q.d.candidates, candidate{num: num, p: q.passage(num), bm25: at.score, words: at.mask, rank: lexical + 50})
	c := &q.d.candidates[len(q.d.candidates)-1]
	q.cands = append(q.cands, c)
	return c
}

// passage reads a passage. If that fails, it notes the error, which ends the
// search, and returns an empty passage.
func (q *query) passage(num int32) *passage {
	p, err := q.r.get(num)
	if err != nil {
		q.err = err
		return &passage{id: q.c.ids[num]}
	}
	return p
}
