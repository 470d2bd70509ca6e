package links

import (
	"context"
	"slices"

	"hopstream/index/lang"
	"hopstream/messages"
)

// pool is the passages that were fetched for one question, as a small corpus.
type pool struct {
	c        *corpus
	question string
	asked    map[string]bool // keys that were looked up
	bodies   map[string][]lang.Token
	buf      []int32
	read     *readings
	d        *scratch
}

// newPool returns an empty pool. How common a word is, it takes from the sample,
// not from the passages of the pool.
func newPool(question string, toks []lang.Token, sample *Sample, read *readings, d *scratch) *pool {
	p := &pool{c: newCorpus(), read: read, question: question, asked: map[string]bool{}, bodies: map[string][]lang.Token{}, d: d}
	p.c.sample = sample
	for i := range toks {
		p.c.number(&toks[i])
	}
	p.c.grow()
	return p
}

// add adds those passages that are not in the pool yet.
func (p *pool) add(ps []messages.Passage) {
	ps = slices.DeleteFunc(ps, func(m messages.Passage) bool {
		_, ok := p.c.where[m.ID]
		return ok
	})
	for _, r := range p.read.read(latest(ps)) {
		p.c.hold(p.c.passage(r), &p.buf)
		p.bodies[r.p.ID] = r.body
	}
}

// rank takes the question through the first stages over what the pool has.
func (p *pool) rank(ctx context.Context, stages, k int) (*query, error) {
	p.d.clear()
	p.d.open(len(p.c.ids))
	q := newQuery(p.c, p.d, &reader{c: p.c}, p.question)
	q.search(k)
	return q, q.rank(ctx, ranked, stages, nil)
}

// named returns the keys of the names in the best passages that were not looked
// up yet.
func (p *pool) named(q *query) []string {
	var keys []string
	for _, c := range q.cands[:min(maxSeeds, len(q.cands))] {
		keys = append(keys, p.fresh(namedIn(p.bodies[c.p.id]))...)
	}
	return keys
}

// fresh returns the keys that are asked for the first time.
func (p *pool) fresh(keys []string) []string {
	return slices.DeleteFunc(keys, func(k string) bool {
		was := p.asked[k]
		p.asked[k] = true
		return was
	})
}
