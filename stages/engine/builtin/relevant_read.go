package builtin

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// Bounds on what is read of a passage to judge it, in bytes.
const (
	maxPassage = 16 << 10
	maxTitle   = 512
)

// reading is what was found in a passage.
type reading struct {
	name   string // title up to a bracket
	text   string
	all    uint64 // terms in title or text
	title  uint64
	best   uint64 // terms of the best sentence
	titleN int    // content words of the title
	shared int    // those that are terms
	rank   int
	score  float32 // the searcher's, 0 for the worst passage to 1 for the best
	listed bool    // the title is an answer of the class asked for
	typed  bool    // the best sentence has another name, or a number where one is asked for

	alone  [relFeatures]float32 // what it is worth by itself
	chosen bool
	linked bool // one that was chosen names it
}

// readPassages reads passages, best first, and weighs the query by them.
func readPassages(q *query, passages []messages.Passage) []reading {
	read := make([]reading, len(passages))
	worst, best := passages[0].Score, passages[0].Score
	for i := range passages {
		read[i] = readPassage(q, &passages[i], i)
		worst, best = min(worst, passages[i].Score), max(best, passages[i].Score)
	}
	if best > worst { // the scale is each searcher's own
		for i := range read {
			read[i].score = float32((passages[i].Score - worst) / (best - worst))
		}
	}
	weighRead(q, read)
	for i := range read {
		read[i].alone = read[i].measure(q)
	}
	return read
}

func readPassage(q *query, p *messages.Passage, i int) reading {
	title := clip(p.Title, maxTitle)
	r := reading{rank: i, text: clip(p.Text, maxPassage)}
	r.name, _, _ = strings.Cut(title, " (")
	r.listed = q.List != 0 && lang.ClassOf(lang.Norm(r.name))&q.List != 0
	sc := lang.Scan(title)
	for sc.Next() {
		if !sc.Stop() {
			r.titleN++
			if k := q.findScanned(&sc); k >= 0 {
				r.title |= 1 << k
				r.shared++
			}
		}
	}
	r.all = r.title
	number := q.group == groupDate || q.group == groupNumber
	var set uint64
	var typed bool
	var top float32
	end := func() {
		if w := q.weigh(set); w > top {
			r.best, r.typed, top = set, typed, w
		}
		r.all |= set
		set, typed = 0, false
	}
	sc = lang.Scan(r.text)
	for sc.Next() {
		if sc.First() {
			end()
		}
		if k := q.findScanned(&sc); k >= 0 {
			set |= 1 << k
		} else if number && sc.Num() || !number && !typed && sc.Cap() && !sc.First() && !sc.Stop() {
			typed = true
		}
	}
	end()
	return r
}

// whole reports whether the query has all of the title.
func (r *reading) whole() bool { return r.titleN > 0 && r.shared == r.titleN }

// names reports whether the text speaks of what the other passage is about,
// and the query does not. A first letter may be in either case.
func (r *reading) names(other *reading) bool {
	return len(other.name) > 3 && !other.whole() && strings.Contains(r.text, other.name[1:])
}
