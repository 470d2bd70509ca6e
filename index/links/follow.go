package links

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

const (
	maxSeeds    = 8  // passages whose links are followed
	maxMentions = 40 // titles in one seed that are followed
	maxMeanings = 8  // passages of one title that are followed
)

// link describes one link from a seed to a passage: a mention of its title, or a
// name that both mention.
type link struct {
	seed    *candidate
	p       float64 // the seed's probability
	place   int     // the seed's by score, from 0
	context float64 // words of the question in the sentence of the mention
	window  float64 // those within six words of it
	gain    float64 // words of the question that the seed lacks
	pair    float64 // words of the question that the two have together
	capital float64
	alias   float64 // of a bridge, instead: the tokens of the name
	doubt   float64 // log of how many passages may be meant
}

func (l *link) strength() float64 { return l.p * (0.3 + l.window + l.context + l.gain*0.5) }

// links sums up all links of one kind to a passage.
type links struct {
	n, sum                               float64
	maxP, maxWindow, maxContext, maxGain float64
	best                                 link
	titles                               uint64 // titles in the question whose passages link here
}

func (g *links) take(l link) {
	g.n++
	g.sum += l.p
	g.maxP = max(g.maxP, l.p)
	g.maxWindow = max(g.maxWindow, l.p*l.window)
	g.maxContext = max(g.maxContext, l.p*l.context)
	g.maxGain = max(g.maxGain, l.p*l.gain)
	if g.best.seed == nil || l.strength() > g.best.strength() {
		g.best = l
	}
}

func (v *vector) links(kind string, g *links) {
	v.add(kind, "n", min(g.n, 8))
	v.add(kind, "sum", min(g.sum, 4))
	v.add(kind, "max-p", g.maxP)
	v.add(kind, "max-window", g.maxWindow)
	v.add(kind, "max-context", g.maxContext)
	v.add(kind, "max-gain", g.maxGain)
	l := &g.best
	v.add(kind, "p", l.p)
	v.add(kind, "context", l.context)
	v.add(kind, "window", l.window)
	v.add(kind, "capital", l.capital)
	v.add(kind, "alias", l.alias)
	v.add(kind, "doubt", l.doubt)
	v.add(kind, "gain", l.gain)
	v.add(kind, "pair", l.pair)
	v.add(kind, "place", 1/float64(l.place+1))
	v.add(kind, "titles", float64(bits.OnesCount64(g.titles)))
}

// follow takes the best candidates as seeds and notes on every candidate which
// seeds link to it. Passages that the seeds link to become candidates too. It
// returns the seeds.
func (q *query) follow() []*candidate {
	seeds := slices.Clone(q.cands)
	slices.SortFunc(seeds, byScore)
	for i, c := range seeds {
		c.out, c.bridge, c.sibling, c.place = links{}, links{}, 0, i+1
		if i > 0 && c.score == seeds[i-1].score {
			c.place = seeds[i-1].place
		}
	}
	seeds = seeds[:min(len(seeds), maxSeeds)]
	for _, s := range seeds {
		for _, m := range s.p.mentions(&q.c.titles) {
			q.followMention(s, &m)
		}
	}
	for _, s := range seeds {
		if s.p.called == 0 {
			continue
		}
		for _, c := range q.cands {
			if c != s && c.p.called == s.p.called {
				c.sibling = max(c.sibling, sigmoid(s.score))
			}
		}
	}
	q.findBridges(seeds[:min(len(seeds), maxBridged)])
	return seeds
}

// byScore orders candidates by score and, of equal scores, by ID.
func byScore(a, b *candidate) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return strings.Compare(a.p.id, b.p.id)
}

func (q *query) followMention(s *candidate, m *mention) {
	l := q.linkFrom(s, m)
	l.doubt = math.Log(float64(q.c.titles.count(m.entry)))
	nums := q.means(m.entry)
	for _, num := range nums[:min(len(nums), maxMeanings)] {
		if num == s.num {
			continue
		}
		c := q.get(num)
		if c == nil {
			continue
		}
		if c.base == nil {
			q.prepare(c)
		}
		q.complete(&l, c)
		c.out.take(l)
		if s.nominee > 0 {
			c.out.titles |= 1 << (s.nominee - 1)
		}
	}
}

// linkFrom describes a mention in seed s. Words of the question around it count
// only if they are not in the seed's title anyway.
func (q *query) linkFrom(s *candidate, m *mention) link {
	l := link{seed: s, p: sigmoid(s.score), place: s.place - 1}
	toks := s.p.toks
	var context, window uint64
	see := func(i, distance int) {
		if j, ok := q.term(toks[i].stem); ok {
			context |= 1 << j
			if distance <= 6 {
				window |= 1 << j
			}
		}
	}
	for i := m.from - 1; i >= s.p.title && toks[i].sent == m.sent; i-- {
		see(int(i), int(m.from-i))
	}
	for i := m.to; i < int32(len(toks)) && toks[i].sent == m.sent; i++ {
		see(int(i), int(i-m.to+1))
	}
	rest := q.sum - q.weight(s.title) + 1
	l.context = q.weight(context&^s.title) / rest
	l.window = q.weight(window&^s.title) / rest
	if m.capital {
		l.capital = 1
	}
	if m.alias {
		l.alias = 1
	}
	return l
}

// complete adds what depends on where the link leads.
func (q *query) complete(l *link, to *candidate) {
	l.gain = q.weight(to.words&^l.seed.words) / (q.sum + tiny)
	l.pair = q.weight(to.words|l.seed.words) / (q.sum + tiny)
}

// linked adds the features of a candidate with its links.
func (q *query) linked(v *vector, c *candidate, best float64) {
	v.values = append(v.values, c.base...)
	v.links("out", &c.out)
	v.links("bridge", &c.bridge)
	v.add("same-title", "p", c.sibling)
	v.add("before", "p", sigmoid(c.score))
	v.add("before", "logit", c.score)
	place := c.place
	if place == 0 || place > maxSeeds {
		place = maxSeeds + 10
	}
	v.add("before", "place", math.Log(float64(place)))
	v.add("before", "best", best)
}
