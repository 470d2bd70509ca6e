package read

import (
	"math"
	"math/bits"

	"hopstream/index/lang"
)

// maxTerms bounds a question's content words, so that a set of them is one
// number.
const maxTerms = 64

// localRarity is what rarity among the units read counts beside rarity in texts
// at large.
var localRarity float32 = 0.5

// Question is a question made ready for reading. It is used by one reading.
type Question struct {
	lang.Question
	ask      uint64 // what is asked with: "how many", "who", "why", …
	head     uint64 // the head noun
	terms    []term
	pairs    [][2]uint64 // content words that follow one another
	capitals [][2]uint64 // words with capitals that do
	bloom    uint64      // of the terms' hashes
	related  related     // words that mean nearly what a term does
	total    float32     // weight of all terms
	names    uint64      // the terms that are names or numbers
	rarest   int         // the term that weighs most, or -1
}

type term struct {
	hash   uint64
	weight float32
}

// Question reads a question.
func (r *Reader) Question(text string) *Question {
	q := &Question{Question: lang.Focus(text)}
	q.ask = lang.Hash(asked(&q.Question))
	if q.Head != "" {
		q.head = lang.Hash(lang.Stem(q.Head))
	}
	last := uint64(0)
	for i := range q.Tokens {
		t := &q.Tokens[i]
		if t.Stop {
			continue
		}
		if last != 0 {
			q.pairs = append(q.pairs, [2]uint64{last, t.Hash})
		}
		if i > 0 && t.Cap && q.Tokens[i-1].Cap {
			q.capitals = append(q.capitals, [2]uint64{q.Tokens[i-1].Hash, t.Hash})
		}
		last = t.Hash
		if len(q.terms) == maxTerms || q.find(t.Hash) >= 0 {
			continue
		}
		if t.Num || t.Cap && i > 0 {
			q.names |= 1 << len(q.terms)
		}
		q.terms = append(q.terms, term{t.Hash, r.rarity.Of(t.Hash)})
		q.bloom |= 1 << (t.Hash & 63)
		if q.names>>(len(q.terms)-1)&1 == 0 {
			q.related.add(t.Hash, len(q.terms)-1)
		}
	}
	q.related.sort()
	return q
}

// asked returns what a question asks with: its question word, or "how" with the
// measure behind it, or its type where it has no question word.
func asked(q *lang.Question) string {
	for i := range q.Tokens {
		if q.Tokens[i].Norm == "how" && i+1 < len(q.Tokens) {
			switch n := q.Tokens[i+1].Norm; n {
			case "many", "much", "long", "old", "far", "often", "large", "big", "high", "tall", "fast", "deep":
				return "how many"
			}
			return "how"
		}
	}
	switch q.Wh {
	case "":
		return "-" + q.Type.String()
	case "who", "whom", "whose":
		return "who"
	}
	return q.Wh
}

// find returns the term with the hash h, or -1.
func (q *Question) find(h uint64) int {
	if q.bloom>>(h&63)&1 == 0 {
		return -1
	}
	for i := range q.terms {
		if q.terms[i].hash == h {
			return i
		}
	}
	return -1
}

// in returns the terms among toks, and those that a word among them is related to. A name whose words stand the other way round is
// another's: Balin Rodel is not Rodel Balin.
func (q *Question) in(toks []lang.Token) (set, like uint64) {
	for i := 0; i < len(toks); i++ {
		like |= q.related.find(toks[i].Hash)
		k := q.find(toks[i].Hash)
		if k < 0 {
			continue
		}
		if i+1 < len(toks) && toks[i].Cap && toks[i+1].Cap && !toks[i+1].Sep.Any(lang.Comma) && q.reversed(toks[i].Hash, toks[i+1].Hash) {
			i++
			continue
		}
		set |= 1 << k
	}
	return set, like
}

// reversed reports whether the question has b and then a, both with a capital, and
// nowhere a and then b.
func (q *Question) reversed(a, b uint64) bool {
	if a == b || q.find(b) < 0 {
		return false
	}
	other := false
	for _, p := range q.capitals {
		if p[0] == a && p[1] == b {
			return false
		}
		other = other || p[0] == b && p[1] == a
	}
	return other
}

// weigh gives the terms the weight of their rarity, by texts at large and, half
// as much, by how many of n units have each.
func (q *Question) weigh(df *[maxTerms]int, n int) {
	q.total, q.rarest = 0, -1
	for i := range q.terms {
		t := &q.terms[i]
		t.weight += localRarity * float32(math.Log(float64(n+1)/float64(df[i]+1)))
		q.total += t.weight
		if q.rarest < 0 || t.weight > q.terms[q.rarest].weight {
			q.rarest = i
		}
	}
	q.total = max(q.total, 1e-6)
}

// share returns the weight of a set of terms as a share of all.
func (q *Question) share(set uint64) (w float32) {
	for ; set != 0; set &= set - 1 {
		w += q.terms[bits.TrailingZeros64(set)].weight
	}
	return w / q.total
}
