package read

import (
	"hopstream/index/document/blocks"
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
	"math/bits"
	"strings"
)

// What is observed of a unit. Numbered features are shares from 0 to 1 unless
// said otherwise; each counts anew for each thing asked.
const (
	uOwn           = iota // of the question's weight in it
	uAbove                // with title and headings
	uNear                 // with title, headings and the units beside it
	uWhole                // in the whole text
	uOwnBest              // uOwn, of the best unit's
	uAboveBest            // uAbove, of the best unit's
	uWholeBest            // uWhole, of the best text's
	uRank                 // 1/(1+the text's rank)
	uFirst                // it is of the best-ranked text
	uRarest               // it has the rarest term
	uRarestNear           // the rarest term is in it or above it
	uRarestText           // the rarest term is in its text
	uNames                // of the question's names, in it or above it
	uLength               // logarithm of its words
	uShort                // fewer than five words
	uPairs                // of the question's neighbouring words that are neighbours in it
	uNumber               // it has a number
	uName                 // it has a name that the question has not
	uDate                 // it has a date
	uLater                // it does not begin its text
	uBehind               // a heading that has the question's words stands right before it
	uOpens                // the question's words among its first content words
	uDefines              // its first words are the question's, and then it says what that is
	uHeaded               // of the words of the heading right above, those that the question has
	uCode                 // it has code in it
	uIn                   // with title, headings and the unit of another text that names its text
	uInGain               // of that unit alone
	uOut                  // with title, headings and the text that it names
	uOutGain              // of that text alone
	uThrough              // with all of these
	uThroughBest          // uThrough, of the best unit's
	uTitled               // the question names its text
	uBridge               // the question names another text, which names its own
	uLike                 // of the question's weight in it, related words among it
	uLikeGain             // of these alone
	uLikeAbove            // with title and headings
	uLikeAboveGain        // of related words there and in it alone
	uLikeBest             // uLikeAbove, of the best unit's
	uFeatures
)

// Templates of hashed features.
const (
	tAsked   = iota + 1 // what is asked, and a numbered feature
	tKind               // what is asked, and what the unit is
	tWord               // what is asked, and a word of the unit
	tOpen               // what is asked, and the unit's first word
	tBridged            // a numbered feature, where the text is a step away from those that the question names
)

// part is what one hashed observation counts beside a numbered one.
const part = 0.3

// best are the largest shares of all units, so that others can be told as
// shares of them.
type best struct{ own, above, whole, through, like float32 }

func (p *Page) best() (b best) {
	b = best{1e-6, 1e-6, 1e-6, 1e-6, 1e-6}
	for i := range p.Units {
		u := &p.Units[i]
		if u.Kind != blocks.Heading {
			b.own = max(b.own, p.Q.share(u.set))
			b.above = max(b.above, p.Q.share(u.set|u.above))
			b.like = max(b.like, p.Q.share(u.set|u.above|u.like|u.likeUp))
			b.through = max(b.through, p.Q.share(u.set|u.above|p.in(u)|p.out(u)))
		}
	}
	for _, set := range p.whole {
		b.whole = max(b.whole, p.Q.share(set))
	}
	return b
}

// observer observes units, one after the other.
type observer struct {
	p   *Page
	top best
	f   linear.Features // of the unit observed last

	bridged bool // its text is a step away from those that the question names
}

func (p *Page) observer() observer { return observer{p: p, top: p.best(), f: p.observed} }

// number adds a numbered feature, and what it means for the thing asked.
func (o *observer) number(n int, v float32) {
	if v != 0 {
		o.f.Number(n, v)
		o.f.Pair(part*v, tAsked, o.p.Q.ask, uint64(n))
		if o.bridged {
			o.f.Word(v, tBridged, uint64(n))
		}
	}
}

// observe returns the features of unit i, until the next call.
func (o *observer) observe(i int) linear.Features {
	o.f = o.f[:0]
	p, q, u := o.p, o.p.Q, &o.p.Units[i]
	o.bridged = p.Bridged(u.Text)
	own, above, whole := q.share(u.set), q.share(u.set|u.above), q.share(p.whole[u.Text])
	o.number(uOwn, own)
	o.number(uAbove, above)
	o.number(uNear, q.share(u.set|u.above|u.near))
	o.number(uWhole, whole)
	o.number(uOwnBest, own/o.top.own)
	o.number(uAboveBest, above/o.top.above)
	o.number(uWholeBest, whole/o.top.whole)
	o.number(uRank, 1/float32(1+u.Text))
	o.number(uFirst, indicator(u.Text == 0))
	if q.rarest >= 0 {
		bit := uint64(1) << q.rarest
		o.number(uRarest, indicator(u.set&bit != 0))
		o.number(uRarestNear, indicator((u.set|u.above)&bit != 0))
		o.number(uRarestText, indicator(p.whole[u.Text]&bit != 0))
	}
	if q.names != 0 {
		o.number(uNames, float32(bits.OnesCount64((u.set|u.above)&q.names))/float32(bits.OnesCount64(q.names)))
	}
	words := u.to - u.from
	o.number(uLength, log1p(words))
	o.number(uShort, indicator(words < 5))
	if i > 0 && p.Units[i-1].Text == u.Text {
		o.number(uLater, 1)
		if b := &p.Units[i-1]; b.Kind == blocks.Heading {
			o.number(uBehind, q.share(b.set))
			o.number(uHeaded, o.sharedWords(b))
		}
	}
	o.related(u)
	o.linked(u)
	o.opening(u)
	o.number(uCode, indicator(u.Kind == blocks.Code || strings.Contains(p.Texts[u.Text].Text[u.Start:u.End], "`")))
	o.f.Pair(part, tKind, q.ask, uint64(u.Kind))
	if words > 0 {
		o.f.Pair(part, tOpen, q.ask, lang.Hash(p.toks[u.from].Norm))
	}
	o.words(u)
	return o.f
}

// related observes the words in a unit, and above it, that mean nearly what the
// question's do.
func (o *observer) related(u *Unit) {
	q := o.p.Q
	here, like := u.set|u.above, u.like|u.likeUp
	o.number(uLike, q.share(u.set|u.like))
	o.number(uLikeGain, q.share(u.like&^u.set))
	o.number(uLikeAbove, q.share(here|like))
	o.number(uLikeAboveGain, q.share(like&^here))
	o.number(uLikeBest, q.share(here|like)/o.top.like)
}

// linked observes what the texts that name a unit's text, and those that it
// names, have of the question.
func (o *observer) linked(u *Unit) {
	p, q := o.p, o.p.Q
	here, in, out := u.set|u.above, p.in(u), p.out(u)
	through := q.share(here | in | out)
	o.number(uIn, q.share(here|in))
	o.number(uInGain, q.share(in&^here))
	o.number(uOut, q.share(here|out))
	o.number(uOutGain, q.share(out&^here))
	o.number(uThrough, through)
	o.number(uThroughBest, through/o.top.through)
	o.number(uTitled, indicator(u.Text < maxLinked && p.links.asked>>u.Text&1 == 1))
	o.number(uBridge, indicator(o.bridged))
}

// sharedWords returns the share of a unit's content words that the question has.
func (o *observer) sharedWords(u *Unit) float32 {
	n, have := 0, 0
	for k := u.from; k < u.to; k++ {
		if t := &o.p.toks[k]; !t.Stop {
			n++
			have += int(indicator(o.p.Q.find(t.Hash) >= 0))
		}
	}
	return float32(have) / float32(max(1, n))
}

// opening observes whether a unit begins with what the question is about, and
// goes on to say what that is.
func (o *observer) opening(u *Unit) {
	var set uint64
	content := 0
	for k := u.from; k < min(u.to, u.from+10) && content < 4; k++ {
		t := &o.p.toks[k]
		if set != 0 && (lang.IsBe(t.Norm) || defining[t.Norm] || t.Sep.Any(lang.Colon|lang.Dash)) {
			o.number(uDefines, o.p.Q.share(set))
			break
		}
		if t.Stop {
			continue
		}
		content++
		if i := o.p.Q.find(t.Hash); i >= 0 {
			set |= 1 << i
		} else if set == 0 {
			break
		}
	}
	o.number(uOpens, o.p.Q.share(set))
}

// defining are verbs with which a text says what something is or does.
var defining = map[string]bool{"means": true, "refers": true, "denotes": true, "describes": true, "allows": true, "provides": true, "specifies": true, "defines": true}

// words observes a unit word by word.
func (o *observer) words(u *Unit) {
	q := o.p.Q
	var num, name, date bool
	pairs, last := 0, uint64(0)
	for k := u.from; k < min(u.to, u.from+maxWords); k++ {
		t := &o.p.toks[k]
		num = num || t.Num
		date = date || t.Num && lang.IsYear(t.Norm) || lang.Month(t.Norm) > 0
		asked := q.find(t.Hash) >= 0
		name = name || t.Cap && !t.First && !asked
		if t.Stop {
			continue
		}
		if last != 0 && asked {
			for _, w := range q.pairs {
				if w[0] == last && w[1] == t.Hash {
					pairs++
				}
			}
		}
		last = t.Hash
		if !asked {
			o.word(t.Hash)
		}
	}
	if len(q.pairs) > 0 {
		o.number(uPairs, min(1, float32(pairs)/float32(len(q.pairs))))
	}
	o.number(uNumber, indicator(num))
	o.number(uName, indicator(name))
	o.number(uDate, indicator(date))
}

// word observes a word that the question has not, beside those it has.
func (o *observer) word(hash uint64) {
	q := o.p.Q
	o.f.Pair(part/2, tWord, q.ask, hash)
}

// maxWords bounds the words of one unit that are looked at.
const maxWords = 120
