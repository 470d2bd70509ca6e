package evidence

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"hopstream/index/document/blocks"
	"hopstream/messages"
)

// What a stretch is worth beside the words that stand in it, as shares of a
// word's weight; the values are plain ones, since the best ones on questions
// over documentation, manuals and a novel lay flat around them.
const (
	worthAgain = 0.2 // a word that stands there more than once
	worthAbout = 0.4 // a word of the title or the headings only
	worthNear  = 0.2 // a word of the unit before or behind only
	worthRank  = 0.05
	usual      = 180 // bytes of a stretch whose length is neither good nor bad
	longest    = 700 // bytes of a unit that is quoted whole if others stand beside it
)

// Align returns the stretches of passages that are nearest to a question: of
// each scale (a length in characters) the best k that do not overlap, scale by
// scale, best first. A stretch is as many whole units (see package blocks) as
// fit into the scale, but at least one. Its score is the share of the question's
// words it has, rare ones counting more, less for a long stretch and for a
// passage that was found later; one that has none is left out. Passages are given as found, best first.
func Align(question string, passages []messages.Passage, scales []int, k int) []messages.Span {
	t := termsOf(question)
	all := t.readAll(passages)
	out := make([]messages.Span, 0, len(scales)*k)
	var found []messages.Span
	for _, scale := range scales {
		found = found[:0]
		for i := range all {
			found = t.stretches(found, passages[i].Text, &all[i], i, scale)
		}
		slices.SortStableFunc(found, func(a, b messages.Span) int { return cmp.Compare(b.Score, a.Score) })
		first := len(out)
		for _, s := range found {
			if len(out)-first == k {
				break
			}
			if !slices.ContainsFunc(out[first:], func(o messages.Span) bool { return overlaps(o, s) }) {
				out = append(out, s)
			}
		}
	}
	return out
}

func overlaps(a, b messages.Span) bool {
	return a.Passage == b.Passage && a.From < b.To && b.From < a.To
}

// stretches appends the stretches of one passage at one scale.
func (t *terms) stretches(dst []messages.Span, text string, r *read, passage, scale int) []messages.Span {
	for a := range r.units {
		if r.units[a].Kind == blocks.Heading && a+1 < len(r.units) && r.units[a+1].Kind == blocks.Heading {
			continue
		}
		var set, again uint64
		b, from := a, r.units[a].Start
		for b < len(r.units) && (b == a || r.units[b].End-from <= scale || b == a+1 && r.units[a].Kind == blocks.Heading) {
			u := &r.units[b]
			again |= set&u.set | u.twice
			set |= u.set
			b++
		}
		for b > a+1 && r.units[b-1].Kind == blocks.Heading { // leads to something else
			b--
			set = 0
			for _, u := range r.units[a:b] {
				set |= u.set
			}
		}
		if set == 0 {
			continue
		}
		near := uint64(0)
		if a > 0 {
			near = r.units[a-1].set
		}
		if b < len(r.units) {
			near |= r.units[b].set
		}
		s := messages.Span{Passage: passage, From: from, To: r.units[b-1].End, Scale: scale}
		if s.To-s.From > longest && r.units[b-1].Kind == blocks.Code {
			s.From, s.To = t.lines(text, s, scale)
		}
		s.Score = t.score(set, again&set, r.about, near, s.To-s.From, passage)
		dst = append(dst, s)
	}
	return dst
}

// score is at most about 1.
func (t *terms) score(set, again, about, near uint64, size, rank int) float64 {
	if t.total == 0 {
		return 0
	}
	about &^= set
	near &^= set | about
	w := t.weigh(set) + worthAgain*t.weigh(again) + worthAbout*t.weigh(about) + worthNear*t.weigh(near)
	w /= math.Pow(1+float64(size)/usual, 0.4)
	return max(0, w*(1-worthRank*float64(rank))/t.total)
}

// lines returns the lines of a long block of code that have most of the terms,
// about twice the scale.
func (t *terms) lines(text string, s messages.Span, scale int) (from, to int) {
	best := -1
	from, to = s.From, s.To
	for at := s.From; at < s.To; {
		end := at
		for end < s.To && (end == at || end-at < 2*scale) {
			n := strings.IndexByte(text[end:s.To], '\n')
			if n < 0 {
				end = s.To
				break
			}
			end += n + 1
		}
		stop := len(strings.TrimRight(text[:end], " \t\r\n"))
		if n := bits.OnesCount64(t.in(text[at:end])); n > best && stop > at {
			best, from, to = n, at, stop
		}
		n := strings.IndexByte(text[at:s.To], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return from, to
}
