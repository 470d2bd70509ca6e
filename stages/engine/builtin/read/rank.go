package read

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"hopstream/index/document/blocks"
	"hopstream/stages/engine/builtin/linear"
)

// Reader reads texts for questions. It is safe for concurrent use.
type Reader struct {
	units, forms *linear.Model
	rarity       *Rarity
	pages        sync.Pool // of *Page
}

// New returns a reader with the weights of units and forms, and a table of
// words' rarity.
func New(units, forms *linear.Model, rarity *Rarity) *Reader {
	return &Reader{units: units, forms: forms, rarity: rarity, pages: sync.Pool{New: func() any { return &Page{} }}}
}

// Read cuts texts, best first, into units and judges each of them for the
// question. Headings are judged by what follows them: their own score is the
// least there is.
func (r *Reader) Read(q *Question, texts []Text) *Page {
	p := r.pages.Get().(*Page)
	p.read(q, texts)
	o := p.observer()
	scores := append(p.scores[:0], make([]float64, len(p.Units))...)
	for i := range p.Units {
		u := &p.Units[i]
		u.Score = Least
		if u.Kind != blocks.Heading {
			u.Score = r.units.Score(o.observe(i))
		}
		scores[i] = float64(u.Score)
	}
	softmax(scores)
	p.observed, p.scores = o.f, scores
	for i := range p.Units {
		p.Units[i].P = float32(scores[i])
	}
	return p
}

// maxKept is how many tokens a page may hold whose memory is used again; that of
// larger ones is given to the collector.
const maxKept = 8 << 10

// Done lets the page's memory be used again: nobody may look at it any more.
// Texts and what was quoted from them stay.
func (r *Reader) Done(p *Page) {
	if cap(p.toks) > maxKept {
		return
	}
	clear(p.toks) // they hold on to the texts
	p.Q, p.Texts = nil, nil
	r.pages.Put(p)
}

// Least is the score of a heading, the least there is.
const Least = -100

// Best returns the index of the unit with the highest score, or -1.
func (p *Page) Best() int {
	best := -1
	for i := range p.Units {
		if p.Units[i].Kind != blocks.Heading && (best < 0 || p.Units[i].Score > p.Units[best].Score) {
			best = i
		}
	}
	return best
}

// Observed returns the features of all units but headings, and the units'
// indexes: what a training is given.
func (p *Page) Observed() (all []linear.Features, at []int) {
	o := p.observer()
	for i := range p.Units {
		if p.Units[i].Kind != blocks.Heading {
			all = append(all, slices.Clone(o.observe(i)))
			at = append(at, i)
		}
	}
	return all, at
}

// softmax turns scores into shares of their exponentials.
func softmax(s []float64) {
	if len(s) == 0 {
		return
	}
	top, sum := slices.Max(s), 0.0
	for i := range s {
		s[i] = math.Exp(s[i] - top)
		sum += s[i]
	}
	for i := range s {
		s[i] /= sum
	}
}

func indicator(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}

func log1p(n int) float32 { return float32(math.Log1p(float64(n))) }

// clip returns at most n bytes of s, whole runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
