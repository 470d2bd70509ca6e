package builtin

import (
	"slices"

	"hopstream/index/lang"
	"hopstream/messages"
)

// maxChain bounds how far a thing is followed from pair to pair.
const maxChain = 5

// chainEnd is where following a thing from pair to pair led: "film A" → its
// director → the director's date of birth.
type chainEnd struct {
	answer string
	pair   int
	dates  float64
	date   bool
	number float64
	count  bool
	states []string // countries
}

// follow goes from a thing to the answer of the pair whose question names it,
// from there to the pair that names that answer, and so on.
func follow(t thing, pairs []messages.Pair, questions [][]lang.Token) (chainEnd, bool) {
	out, ok := chainEnd{pair: -1}, false
	var used uint64
	for range maxChain {
		next := -1
		var top float32 = 0.6
		for i := range pairs {
			if i >= 64 || used>>i&1 == 1 {
				continue
			}
			if s := t.in(questions[i]); s >= top && s > 0.6 {
				if s > top || next < 0 {
					next, top = i, s
				}
			}
		}
		if next < 0 {
			break
		}
		used |= 1 << next
		ok = true
		out.read(pairs[next].Answer)
		out.pair = next
		t = thingOf(clip(pairs[next].Answer, 256))
		if len(t.hashes) == 0 {
			break
		}
	}
	return out, ok
}

// read takes an answer as what is known at the end of a chain so far.
func (e *chainEnd) read(answer string) {
	answer = clip(answer, 512)
	toks := lang.Tokens(answer)
	e.answer, e.date, e.count, e.states = answer, false, false, countriesIn(toks, 2)
	for _, v := range lang.Values(nil, answer, toks) {
		switch {
		case v.Kind == lang.Year || v.Kind == lang.Date:
			if !e.date {
				e.dates, e.date = v.Value, true
			}
		case v.Kind != lang.Ordinal && !e.count:
			e.number, e.count = v.Value, true
		}
	}
}

func tokenised(pairs []messages.Pair) [][]lang.Token {
	out := make([][]lang.Token, len(pairs))
	for i := range pairs {
		out[i] = lang.Tokens(clip(pairs[i].Question, 2048))
	}
	return out
}

// leaves returns the ends of the pairs whose answers no other pair asks about.
func leaves(pairs []messages.Pair, questions [][]lang.Token) []side {
	var out []side
	for i := range pairs {
		t := thingOf(clip(pairs[i].Answer, 256))
		asked := false
		for j := range pairs {
			asked = asked || j != i && t.in(questions[j]) >= 0.75
		}
		if !asked && len(out) < maxOptions {
			s := side{chainEnd: chainEnd{pair: i}}
			s.read(pairs[i].Answer)
			out = append(out, s)
		}
	}
	return out
}

// distinct returns things[i] without the words every thing has, if any are
// left: "film A" and "film B" differ in A and B.
func distinct(things []thing, i int) thing {
	t := thing{text: things[i].text}
	for _, h := range things[i].hashes {
		all := true
		for j := range things {
			all = all && slices.Contains(things[j].hashes, h)
		}
		if !all {
			t.hashes = append(t.hashes, h)
		}
	}
	if len(t.hashes) == 0 {
		return things[i]
	}
	return t
}
