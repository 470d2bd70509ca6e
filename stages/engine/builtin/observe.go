package builtin

import (
	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/read"
)

// Templates of a candidate's hashed features: what they see beside what is
// asked. A shape is the sort of word, not the word.
const (
	tMeasure    = iota + 100 // a measure (feature.go), by group
	tKind                    // how it was found
	tHeadKind                // the head noun, how it was found
	tShape                   // shapes of its words
	tShapeAny                // the same whatever is asked
	tLength                  // its words
	tBefore                  // the word before it
	tBeforeAny               // the same whatever is asked
	tBehind                  // the word behind it
	tBehindAny               // the same whatever is asked
	tTwoBefore               // the two words before it
	tTwoBehind               // the two words behind it
	tMarks                   // what separates it from both
	tShapeFrom               // the shape before it, its shapes
	tShapeTo                 // the shape behind it, its shapes
	tBetween                 // the shapes before and behind it
	tMarkFrom                // the shape before it, its first, what is between
	tMarkTo                  // the shape behind it, its last, what is between
	tFirst                   // its first word
	tLast                    // its last word
	tFirstAny                // the same whatever is asked
	tLastAny                 // the same whatever is asked
	tHeadLast                // the head noun, its last word
	tHeadFirst               // the head noun, its first word
	tHeadShape               // the head noun, its shapes
	tHeadBefore              // the head noun, the word before it
	tHeadBehind              // the head noun, the word behind it
	tHeadIn                  // it has the head noun in it, or at its end
	tRelated                 // a word of the question, a word near it
	tNear                    // a word near it
	tBridged                 // a measure, where its text is a step away from those that the question names
)

// part is what one hashed observation counts beside a measure.
const part = 0.3

// edge stands for what is before the first and behind the last word.
const (
	edgeFrom = 1
	edgeTo   = 2
)

// shapeOf says what sort of word t is.
func shapeOf(t *lang.Token) uint64 {
	switch {
	case t.Num && lang.IsYear(t.Norm):
		return 3
	case t.Num:
		return 4
	case t.Cap && len(t.Text) > 1 && upper(t.Text):
		return 5
	case t.Cap && t.First:
		return 6
	case t.Cap:
		return 7
	case t.Stop:
		return 8
	}
	return 9
}

func upper(s string) bool {
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return true
}

// askedWith is what a question asks with and its type.
func (q *query) askedWith() uint64 {
	w := q.Wh
	for i := range q.Tokens {
		if q.Tokens[i].Norm == "how" && i+1 < len(q.Tokens) {
			switch n := q.Tokens[i+1].Norm; n {
			case "many", "much", "long", "old", "far", "tall", "high", "large", "big", "often", "fast", "deep":
				w = "how " + n
			default:
				w = "how"
			}
			break
		}
	}
	return lang.Hash(w)<<8 | uint64(q.Type)
}

// candObserver observes candidates, one after the other.
type candObserver struct {
	sc    *scratch
	q     *query
	page  *read.Page
	asked uint64
	head  uint64
	f     linear.Features
}

func newCandObserver(sc *scratch, q *query, page *read.Page, f linear.Features) *candObserver {
	o := &candObserver{sc: sc, q: q, page: page, asked: q.askedWith(), f: f[:0]}
	sc.norms, sc.shapes = sc.norms[:0], sc.shapes[:0]
	for i := range sc.toks { // many candidates touch each
		sc.norms = append(sc.norms, lang.Hash(sc.toks[i].Norm))
		sc.shapes = append(sc.shapes, wordShape(&sc.toks[i], sc.norms[i]))
	}
	if q.Head != "" {
		o.head = lang.Hash(lang.Stem(q.Head))
	}
	return o
}

// observe returns the features of a candidate whose measures are x, until the
// next call.
func (o *candObserver) observe(c *cand, x *[features]float32) linear.Features {
	o.f = o.f[:0]
	bridged := o.page.Bridged(o.sc.sents[c.sent].block)
	for i, v := range x {
		if v != 0 {
			o.f.Number(i, v)
			o.f.Pair(v, tMeasure, uint64(o.q.group), uint64(i))
			if bridged {
				o.f.Word(v, tBridged, uint64(i))
			}
		}
	}
	o.f.Pair(part, tKind, o.asked, uint64(c.kind))
	o.f.Pair(part, tHeadKind, o.head, uint64(c.kind))
	if c.from >= 0 {
		o.within(c)
		o.around(c)
	}
	return o.f
}

// within observes a candidate's words and those that touch it.
func (o *candObserver) within(c *cand) {
	toks, norms, s := o.sc.toks, o.sc.norms, &o.sc.sents[c.sent]
	first, last := &toks[c.from], &toks[c.to-1]
	shapes := uint64(0)
	for k := c.from; k < min(c.to, c.from+5); k++ {
		shapes = shapes<<4 | shapeOf(&toks[k])
	}
	before, before2, behind, behind2 := uint64(edgeFrom), uint64(edgeFrom), uint64(edgeTo), uint64(edgeTo)
	shapeBefore, shapeBehind := uint64(edgeFrom), uint64(edgeTo)
	markFrom, markTo := uint64(first.Sep&^lang.Space), uint64(lang.End)
	if c.from > s.from {
		before, shapeBefore = norms[c.from-1], o.sc.shapes[c.from-1]
	}
	if c.from > s.from+1 {
		before2 = norms[c.from-2]
	}
	if c.to < s.to {
		behind, shapeBehind = norms[c.to], o.sc.shapes[c.to]
		markTo = uint64(toks[c.to].Sep &^ lang.Space)
	}
	if c.to+1 < s.to {
		behind2 = norms[c.to+1]
	}
	firstWord, lastWord := norms[c.from], norms[c.to-1]
	f, a := &o.f, o.asked
	f.Pair(part, tShape, a, shapes)
	f.Word(part, tShapeAny, shapes)
	f.Pair(part, tLength, a, uint64(c.to-c.from))
	f.Pair(part, tBefore, a, before)
	f.Word(part, tBeforeAny, before)
	f.Pair(part, tBehind, a, behind)
	f.Word(part, tBehindAny, behind)
	f.Pair(part, tTwoBefore, before2, before)
	f.Pair(part, tTwoBehind, behind, behind2)
	f.Triple(part, tMarks, a, markFrom, markTo)
	f.Pair(part, tShapeFrom, shapeBefore, shapes)
	f.Pair(part, tShapeTo, shapeBehind, shapes)
	f.Pair(part, tBetween, shapeBefore, shapeBehind)
	f.Triple(part, tMarkFrom, shapeBefore, shapeOf(first), markFrom)
	f.Triple(part, tMarkTo, shapeBehind, shapeOf(last), markTo)
	f.Pair(part, tFirst, a, firstWord)
	f.Pair(part, tLast, a, lastWord)
	f.Word(part, tFirstAny, firstWord)
	f.Word(part, tLastAny, lastWord)
	if o.head == 0 {
		return
	}
	f.Pair(part, tHeadLast, o.head, last.Hash)
	f.Pair(part, tHeadFirst, o.head, first.Hash)
	f.Pair(part, tHeadShape, o.head, shapes)
	f.Pair(part, tHeadBefore, o.head, before)
	f.Pair(part, tHeadBehind, o.head, behind)
	for k := c.from; k < c.to; k++ {
		if toks[k].Hash == o.head {
			f.Pair(part, tHeadIn, a, uint64(min(1, c.to-1-k)))
		}
	}
}

// wordShape is a structure word itself, the form of a verb, or the shape of
// another word.
func wordShape(t *lang.Token, norm uint64) uint64 {
	if t.Stop {
		return norm
	}
	if _, form := lang.Verb(t.Norm); form != 0 && !t.Cap {
		return 16 + uint64(form)
	}
	return shapeOf(t)
}

// around observes the words near a candidate that the question has not.
func (o *candObserver) around(c *cand) {
	toks, s := o.sc.toks, &o.sc.sents[c.sent]
	for k := max(s.from, c.from-4); k < min(s.to, c.to+4); k++ {
		if k >= c.from && k < c.to || toks[k].Stop || o.sc.hits[k] >= 0 {
			continue
		}
		for i := range o.q.Tokens {
			if t := &o.q.Tokens[i]; !t.Stop && !t.Cap {
				o.f.Pair(part, tRelated, t.Hash, toks[k].Hash)
			}
		}
		o.f.Pair(part, tNear, o.asked, toks[k].Hash)
	}
}

// Candidates returns the texts that an engine of the weights w weighs as a span
// that answers a question from windows, and what is observed of each: what a
// training is given.
func Candidates(w *Options, question string, windows []messages.Window) (texts []string, observed []linear.Features) {
	q := parseQuery(clip(question, maxText))
	sc := &scratch{count: make(map[uint64]uint64, 64)}
	readWindows(sc, &q, windows)
	if q.Type == lang.Choice || q.Type == lang.YesNo {
		return nil, nil
	}
	e := newEngine(*w)
	page := e.reader.Read(e.reader.Question(q.Text), textsOf(sc))
	findUnits(sc, page)
	findCands(sc, &q)
	o := newCandObserver(sc, &q, page, nil)
	var x [features]float32
	for i := range sc.cands {
		c := &sc.cands[i]
		measure(sc, &q, page, c, &x)
		texts = append(texts, tidy(c.text))
		observed = append(observed, append(linear.Features(nil), o.observe(c, &x)...))
	}
	return texts, observed
}
