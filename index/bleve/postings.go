package bleve

import (
	"context"
	"math"
	"sync"

	bleveapi "github.com/blevesearch/bleve_index_api"
)

// scored are the passages that have a term, and what each gains by it if the
// term stands once in the query. All of it is fixed as long as the index does
// not change.
type scored struct {
	nums  []uint32 // passage numbers, ascending
	gains []float64
}

// cachePassages bounds the scored passages a cache keeps, over all terms:
// 48 MB. A corpus of 60,000 paragraphs fits whole; of a larger one, what is
// asked about.
const cachePassages = 4 << 20

// termCost is what a term costs besides its passages, counted in passages, so
// that words nobody wrote are bounded too.
const termCost = 16

// cache keeps the scored passages of terms already asked for. Most words of a
// question have been in another one, and reading postings is most of the work
// of a search. It holds those of one snapshot of the index: the next change
// empties it.
type cache struct {
	mu       sync.RWMutex
	snapshot bleveapi.IndexReader
	terms    map[string]scored
	room     int
}

func (c *cache) get(snapshot bleveapi.IndexReader, term []byte) (scored, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.snapshot != snapshot {
		return scored{}, false
	}
	s, ok := c.terms[string(term)]
	return s, ok
}

// reserve reports whether n more passages fit, and counts them as there.
func (c *cache) reserve(snapshot bleveapi.IndexReader, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.snapshot != snapshot {
		c.snapshot, c.terms, c.room = snapshot, make(map[string]scored), cachePassages
	}
	if n > c.room {
		return false
	}
	c.room -= n
	return true
}

func (c *cache) put(snapshot bleveapi.IndexReader, term []byte, s scored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.snapshot == snapshot {
		c.terms[string(term)] = s
	}
}

func (c *cache) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshot, c.terms, c.room = nil, nil, 0
}

// bm25 is what the score of a term depends on besides its postings.
type bm25 struct {
	k1, b    float64
	passages float64 // in the corpus
	average  float64 // their length in tokens
}

// gains is how BM25 scores one term, or one phrase: by how many passages have it.
type gains struct{ idf, k1, base, slope float64 }

// of returns the scores of what df passages have.
func (m bm25) of(df int) gains {
	n := float64(df)
	return gains{
		idf: math.Log(1 + (m.passages-n+0.5)/(n+0.5)), k1: m.k1,
		base: m.k1 * (1 - m.b), slope: m.k1 * m.b / m.average,
	}
}

// gain is what a passage of length tokens gains by having the term often.
func (g gains) gain(often, length float64) float64 {
	return g.idf * often * (g.k1 + 1) / (often + g.base + g.slope*length)
}

// lengthOf returns the length of a passage by its norm, which is 1/√length:
// exact up to millions.
func lengthOf(norm float64) float64 { return float64(int(1/(norm*norm) + 0.5)) }

// read reads the postings of a term into buf, or into memory of their own if
// keep says so for their number, and scores them. This is BM25 as published;
// Bleve's own scoring of that name has another average length, takes the root
// of the frequency, and counts idf twice.
func (m bm25) read(ctx context.Context, r bleveapi.IndexReader, term []byte, buf *scored, keep func(n int) bool) (s scored, kept bool, err error) {
	postings, err := r.TermFieldReader(ctx, term, fieldBody, true, true, false)
	if err != nil {
		return scored{}, false, err
	}
	defer postings.Close()
	n := int(postings.Count())
	if kept = keep(n); kept {
		s = scored{make([]uint32, 0, n), make([]float64, 0, n)}
	} else {
		s = scored{buf.nums[:0], buf.gains[:0]}
	}
	score := m.of(n)
	var d bleveapi.TermFieldDoc // every field that is read is overwritten each time
	for {
		next, err := postings.Next(&d)
		if err != nil {
			return scored{}, false, err
		}
		if next == nil {
			break
		}
		s.nums = append(s.nums, uint32(next.ID.Value()))
		s.gains = append(s.gains, score.gain(float64(next.Freq), lengthOf(next.Norm)))
	}
	if !kept {
		*buf = s
	}
	return s, kept, nil
}
