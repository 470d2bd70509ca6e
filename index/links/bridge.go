package links

import "math"

const (
	maxBridged  = 6   // seeds whose names are looked for in other candidates
	maxNameWord = 200 // passages in which the rarest word of such a name may occur
	maxName     = 6   // tokens of such a name
	maxNames    = 60  // names in one seed that are looked for
)

// findBridges links seeds to candidates that mention a name which the seed
// mentions too, whether or not a passage has that name as its title.
func (q *query) findBridges(seeds []*candidate) {
	for _, s := range seeds {
		toks := s.p.toks
		done := map[uint64]bool{}
		for i := int(s.p.title); i < len(toks) && len(done) < maxNames; {
			j := i + 1
			if toks[i].flags&named != 0 {
				for j < len(toks) && toks[j].flags&named != 0 && toks[j].sent == toks[i].sent {
					j++
				}
				if k := keyOf(toks[i:j]); j-i <= maxName && !done[k] {
					done[k] = true
					q.findBridge(s, i, j)
				}
			}
			i = j
		}
	}
}

// findBridge follows one name of seed s by the postings of its rarest word.
func (q *query) findBridge(s *candidate, from, to int) {
	name := s.p.toks[from:to]
	rarest, df := int32(-1), int32(math.MaxInt32)
	for _, t := range name {
		if t.stem < 0 {
			continue
		}
		if _, ok := q.term(t.stem); ok && s.title != 0 && len(name) == 1 {
			return // the question has it already
		}
		if n := q.c.freq(t.stem); n < df {
			rarest, df = t.stem, n
		}
	}
	if rarest < 0 || df < 2 || df > maxNameWord {
		return
	}
	var l link
	for _, at := range q.c.postings[rarest] {
		c := q.candidate(at.num())
		if c == nil || c == s || c.base == nil {
			continue
		}
		where := find(c.p.toks, name)
		if where < 0 {
			continue
		}
		if l.seed == nil {
			l = q.linkFrom(s, &mention{from: int32(from), to: int32(to), sent: name[0].sent})
			l.doubt = math.Log(float64(df))
			l.alias = float64(len(name))
		}
		q.complete(&l, c)
		l.capital = 0
		if where+len(name) <= int(c.p.title) {
			l.capital = 1 // here: the name is in the title
		}
		c.bridge.take(l)
	}
}

// find returns where toks have name, or -1.
func find(toks, name []token) int {
next:
	for i := 0; i+len(name) <= len(toks); i++ {
		for j, t := range name {
			if toks[i+j].norm != t.norm {
				continue next
			}
		}
		return i
	}
	return -1
}
