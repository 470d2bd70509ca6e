package links

import "math"

const tiny = 1e-9

// prepare computes what depends on the question and one passage.
func (q *query) prepare(c *candidate) {
	p := c.p
	for i, t := range p.toks[:p.first] {
		j, ok := q.term(t.stem)
		switch {
		case !ok:
		case i < int(p.title):
			c.title |= 1 << j
		default:
			c.first |= 1 << j
		}
	}
	if len(q.pairs) > 0 && c.rank <= lexical {
		n := 0
		for _, pair := range q.pairs {
			if both := uint64(1)<<pair[0] | 1<<pair[1]; c.words&both == both && adjacent(p.toks, q.terms[pair[0]].stem, q.terms[pair[1]].stem) {
				n++
			}
		}
		c.pairs = float64(n) / float64(len(q.pairs))
	}
	from := len(q.d.base)
	v := vector{values: q.d.base}
	q.describe(&v, c)
	q.d.base = v.values
	c.base = v.values[from:len(v.values):len(v.values)]
}

// adjacent reports whether b follows a, with only structure between.
func adjacent(toks []token, a, b int32) bool {
	before := int32(structure)
	for _, t := range toks {
		if t.stem == structure {
			continue
		}
		if t.stem == b && before == a {
			return true
		}
		before = t.stem
	}
	return false
}

// describe adds the features of a passage without its links.
func (q *query) describe(v *vector, c *candidate) {
	sum := q.sum + tiny
	v.add("bm25", "top", c.bm25/(q.top+tiny))
	v.add("bm25", "max", c.bm25/(q.most+tiny))
	v.add("bm25", "recip", 1/float64(c.rank+1))
	v.add("bm25", "logrank", math.Log(float64(c.rank)+1))
	v.add("bm25", "gap", (q.fifth-c.bm25)/(q.top+tiny))
	v.add("cover", "all", q.weight(c.words)/sum)
	v.add("cover", "names", q.weight(c.words&q.names)/(q.nameSum+1))
	v.add("cover", "first", q.weight(c.first|c.title)/sum)
	v.add("cover", "pairs", c.pairs)
	v.add("cover", "beyond-title", q.weight(c.words&^c.title)/sum)
	q.describeTitle(v, c)
	v.add("passage", "length", math.Log(1+float64(c.p.length)))
	v.add("question", "terms", float64(len(q.terms)))
	v.add("question", "titles", float64(len(q.titles)))
	v.add("question", "title-share", q.weight(q.titled)/sum)
	v.add("question", "top", q.top/(q.most+tiny))
	v.flag("question", "person", q.person)
}

// describeTitle adds how the question and the passage's title meet.
func (q *query) describeTitle(v *vector, c *candidate) {
	p := c.p
	own, shared := 0.0, q.weight(c.title)/(q.sum+tiny)
	suffix, rarest := 0, int32(math.MaxInt32)
	for i, t := range p.toks[:p.title] {
		if t.stem < 0 {
			continue
		}
		if df := q.c.freq(t.stem); i < int(p.core) {
			own += q.c.idf(df)
			rarest = min(rarest, df)
		} else if _, ok := q.term(t.stem); ok {
			suffix++
		}
	}
	var m mention
	found := c.nominee > 0
	at := 0.0
	if found {
		m = q.titles[c.nominee-1]
		at = float64(m.from) / float64(len(q.toks))
	}
	v.flag("title", "in-question", found)
	v.flag("title", "in-question-full", found && !m.alias)
	v.flag("title", "in-question-lower", found && !m.capital)
	v.add("title", "in-question-tokens", float64(min(m.to-m.from, 6)))
	v.add("title", "in-question-at", at)
	v.add("title", "share-of-question", shared)
	v.add("title", "share-of-title", min(1, q.weight(c.title)/(own+1)))
	if !found {
		shared = 0
	}
	v.add("title", "in-question-share", shared)
	v.add("title", "rarity", own/20)
	v.add("title", "suffix-words", float64(suffix))
	v.flag("title", "no-suffix", p.core == p.title)
	if rarest == math.MaxInt32 {
		rarest = 0
	}
	v.add("title", "rarest", math.Log(float64(rarest)+1))
}
