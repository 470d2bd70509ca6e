package links

import (
	"math"
	"strings"

	"hopstream/messages"
)

// numbers gives words numbers, from 1.
type numbers struct {
	of   map[string]uint32
	word []string
}

func (n *numbers) number(s string) uint32 {
	if v, ok := n.of[s]; ok {
		return v
	}
	s = strings.Clone(s) // s is part of a whole passage
	v := uint32(len(n.word) + 1)
	n.of[s] = v
	n.word = append(n.word, s)
	return v
}

type posting struct {
	num  int32
	freq uint16
}

// What stands for a stem where there is none.
const (
	structure = -1 // the word carries structure
	unknown   = -2 // no passage has the word
)

// corpus is all passages in memory. A removed one stays in the postings, as a
// passage without length, until there are so many that the corpus is copied
// without them.
type corpus struct {
	norms, stems numbers
	postings     [][]posting // by stem
	df           []int32     // by stem: living passages
	passages     []*passage  // nil where removed
	lengths      []float32   // by passage; negative where removed
	where        map[string]int32
	total        int64 // terms of all living passages
	titles       titles
	sample       *Sample // of the corpus that this is a part of, or nil
}

func newCorpus() *corpus {
	return &corpus{
		norms: numbers{of: map[string]uint32{}}, stems: numbers{of: map[string]uint32{}}, where: map[string]int32{},
		titles: titles{byKey: map[uint64]int32{}, longest: map[uint32]uint8{}},
	}
}

// add adds the passage that was read as r, in place of one of the same ID.
func (c *corpus) add(r reading) {
	c.remove(r.p.ID)
	c.insert(c.passage(r))
}

// insert adds p, whose words have this corpus's numbers.
func (c *corpus) insert(p *passage) {
	num := int32(len(c.passages))
	c.passages = append(c.passages, p)
	c.lengths = append(c.lengths, float32(p.length))
	c.where[p.id] = num
	c.total += int64(p.length)
	c.grow()
	for _, t := range p.toks {
		if t.stem < 0 {
			continue
		}
		list := c.postings[t.stem]
		if n := len(list); n > 0 && list[n-1].num == num {
			list[n-1].freq++ // at most maxTokens
			continue
		}
		c.postings[t.stem] = append(list, posting{num, 1})
		c.df[t.stem]++
	}
	p.entry = -1
	for _, k := range p.keys {
		e := c.titles.enter(p.toks[k.from:k.to], num, k.weak)
		if !k.weak {
			p.entry = e
		}
	}
}

// grow makes room for the stems that have numbers.
func (c *corpus) grow() {
	for len(c.postings) < len(c.stems.word) {
		c.postings, c.df = append(c.postings, nil), append(c.df, 0)
	}
}

func (c *corpus) remove(id string) {
	num, ok := c.where[id]
	if !ok {
		return
	}
	p := c.passages[num]
	seen := make(map[int32]bool, len(p.toks))
	for _, t := range p.toks {
		if t.stem >= 0 && !seen[t.stem] {
			seen[t.stem] = true
			c.df[t.stem]--
		}
	}
	for _, k := range p.keys {
		c.titles.leave(p.toks[k.from:k.to], num, k.weak)
	}
	c.total -= int64(p.length)
	c.passages[num], c.lengths[num] = nil, -1
	delete(c.where, id)
}

func (c *corpus) live() int { return len(c.where) }

// crowded reports whether most of the corpus is removed passages.
func (c *corpus) crowded() bool { return len(c.passages) > 2*c.live()+1000 }

// compacted returns a copy without the removed passages, nor the words and
// titles that only they had. c is not changed.
func (c *corpus) compacted() *corpus {
	next := newCorpus()
	norms, stems := make([]uint32, len(c.norms.word)+1), make([]int32, len(c.stems.word))
	for _, p := range c.passages {
		if p == nil {
			continue
		}
		q := *p
		q.toks = make([]token, len(p.toks))
		for i, t := range p.toks {
			if norms[t.norm] == 0 {
				norms[t.norm] = next.norms.number(c.norms.word[t.norm-1])
			}
			t.norm = norms[t.norm]
			if t.stem >= 0 {
				if stems[t.stem] == 0 {
					stems[t.stem] = int32(next.stems.number(c.stems.word[t.stem]))
				}
				t.stem = stems[t.stem] - 1
			}
			q.toks[i] = t
		}
		next.insert(&q)
	}
	return next
}

// size returns how many passages there are, and how many terms they have.
func (c *corpus) size() (passages int, terms int64) {
	if s := c.sample; s != nil && s.passages > c.live() {
		return s.passages, s.terms
	}
	return c.live(), c.total
}

// freq returns how many passages have a stem.
func (c *corpus) freq(stem int32) int32 {
	n := c.df[stem]
	if c.sample != nil {
		n = max(n, c.sample.df[c.stems.word[stem]])
	}
	return n
}

// idf of a word that df passages have, as in BM25.
func (c *corpus) idf(df int32) float64 {
	passages, _ := c.size()
	n := float64(passages)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// get returns the passage called id, and whether there is one.
func (c *corpus) get(id string) (messages.Passage, bool) {
	num, ok := c.where[id]
	if !ok {
		return messages.Passage{}, false
	}
	return c.passages[num].message(), true
}
