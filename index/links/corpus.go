package links

import (
	"errors"
	"math"
	"strings"

	"hopstream/index/document"
)

// corpus is the part of the index that is always in memory: the vocabulary, which
// passages have which word, and the dictionary of titles. A passage's own words
// and text are in held, or in a file. A removed passage stays in the postings,
// marked by a negative length, until so many are removed that the corpus is
// copied without them.
type corpus struct {
	vocabulary
	postings [][]posting // by stem
	often    map[place]uint16
	df       []int32   // by stem: living passages
	ids      []string  // by passage
	lengths  []float32 // by passage; negative where removed
	where    map[string]int32
	docs     int   // documents the living passages come from
	total    int64 // terms of all living passages
	titles   titles
	held     []*passage // by passage, nil where removed; all nil where they are in a file
	sample   *Sample    // of the corpus that this is a part of, or nil
}

func newCorpus() *corpus { return sizedCorpus(0, 0, 0) }

// sizedCorpus returns an empty corpus with memory for the given numbers of
// words, passages and keys.
func sizedCorpus(words, passages, keys int) *corpus {
	return &corpus{
		vocabulary: newVocabulary(words), often: map[place]uint16{},
		ids: make([]string, 0, passages), lengths: make([]float32, 0, passages), where: make(map[string]int32, passages),
		titles: newTitles(keys),
	}
}

// errFull says that no more passages or words fit into an index.
var errFull = errors.New("the index of links holds as many passages or words as it can")

// insert adds the passage that d sums up, under the next number.
func (c *corpus) insert(d *digest) {
	num := c.enter(d)
	c.grow()
	for _, t := range d.terms {
		c.postings[t.stem] = append(c.postings[t.stem], newPosting(num, t.freq))
		if t.freq >= many {
			c.often[place{t.stem, num}] = t.freq
		}
		c.df[t.stem]++
	}
}

// hold adds p, and keeps its words and text in memory.
func (c *corpus) hold(p *passage, buf *[]int32) {
	d := p.digest(buf)
	c.insert(&d)
	c.held = append(c.held, p)
}

// enter adds all of d but its terms.
func (c *corpus) enter(d *digest) int32 {
	num := int32(len(c.ids))
	c.ids, c.lengths = append(c.ids, d.id), append(c.lengths, float32(d.length))
	c.where[d.id] = num
	c.total += int64(d.length)
	c.docs += begins(d.id)
	for _, k := range d.keys {
		c.titles.enter(k, num)
	}
	return num
}

// skip uses up the next number, of a passage that was removed.
func (c *corpus) skip() {
	c.ids, c.lengths = append(c.ids, ""), append(c.lengths, -1)
}

// begins returns 1 for the first passage of a document, and 0 for the others.
// The sum over all passages is the number of documents.
func begins(id string) int {
	if document.DocID(id) == id || strings.HasSuffix(id, "#0") {
		return 1
	}
	return 0
}

// pieces returns the numbers of the passages of a document, or of a part of one.
// A document that is replaced by parts of it, or the other way round, is removed
// in the same batch or in one before: their passages have the same IDs.
func (c *corpus) pieces(doc string) (nums []int32) {
	if num, ok := c.where[doc]; ok && document.DocID(doc) == doc {
		return []int32{num}
	}
	whole, first, room := document.Part(doc)
	if first < 0 {
		first, room = 0, math.MaxInt32
	}
	for i := first; i-first < room; i++ {
		num, ok := c.where[document.PieceID(whole, i)]
		if !ok {
			return nums
		}
		nums = append(nums, num)
	}
	return nums
}

// grow extends the tables by stem to the size of the vocabulary.
func (c *corpus) grow() {
	for len(c.postings) < len(c.stem) {
		c.postings, c.df = append(c.postings, nil), append(c.df, 0)
	}
}

// remove removes the passage with number num, which p is.
func (c *corpus) remove(num int32, p *passage) {
	seen := make(map[int32]bool, len(p.toks))
	for _, t := range p.toks {
		if t.stem >= 0 && !seen[t.stem] {
			seen[t.stem] = true
			c.df[t.stem]--
			delete(c.often, place{t.stem, num})
		}
	}
	for _, k := range p.keysOf() {
		c.titles.leave(k, num)
	}
	c.total -= int64(p.length)
	c.docs -= begins(p.id)
	c.lengths[num] = -1
	if c.held != nil {
		c.held[num] = nil
	}
	delete(c.where, p.id)
	c.ids[num] = ""
}

func (c *corpus) live() int { return len(c.where) }

// crowded reports whether most of the corpus is removed passages.
func (c *corpus) crowded() bool { return len(c.ids) > 2*c.live()+1000 }

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
		n = max(n, c.sample.df[c.stem[stem]])
	}
	return n
}

// idf of a word that df passages have, as in BM25.
func (c *corpus) idf(df int32) float64 {
	passages, _ := c.size()
	n := float64(passages)
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}

// reworded returns a copy of p with its words numbered as in c instead of as in
// from.
func (c *corpus) reworded(p *passage, from *vocabulary, numbers []uint32) *passage {
	q := &passage{id: p.id, name: p.name, text: p.text, place: p.place, title: p.title, core: p.core, first: p.first, length: p.length, keys: p.keys}
	q.toks = make([]token, len(p.toks))
	for i, t := range p.toks {
		if numbers[t.norm-1] == 0 {
			c.restore(from.norm(t.norm))
			numbers[t.norm-1] = uint32(len(c.norms))
		}
		t.norm = numbers[t.norm-1]
		t.stem = c.stemOf[t.norm-1]
		q.toks[i] = t
	}
	for _, k := range q.keys {
		if !k.weak {
			q.called = keyOf(q.toks[k.from:k.to])
		}
	}
	return q
}
