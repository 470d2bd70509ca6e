package builtin

import (
	"slices"
	"strings"

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

// chosen resolves an either-or question: by the dates or numbers the options
// lead to, else by the option an answer names.
func chosen(q *lang.Question, p *plan, pairs []messages.Pair) (messages.Finding, bool) {
	questions := tokenised(pairs)
	things := make([]thing, 0, maxOptions)
	for _, o := range optionsOf(q, p) {
		if t := thingOf(o); len(t.hashes) > 0 {
			things = append(things, t)
		}
	}
	if q.Compare != lang.None {
		best, known := -1, 0
		var top float64
		tie := false
		for i := range things {
			e, ok := follow(distinct(things, i), pairs, questions)
			if !ok {
				continue
			}
			v, ok := e.dates, e.date
			if span, known := lifespan(&things[i], pairs, questions); known && !q.ByDate {
				e.number, e.count = span, true
			}
			if !q.ByDate || !ok {
				if e.count {
					v, ok = e.number, true
				} else if !q.ByDate {
					ok = e.date
				}
			}
			if !ok {
				continue
			}
			known++
			switch {
			case best < 0 || better(q.Compare, v, top):
				best, top, tie = i, v, false
			case v == top:
				tie = true
			}
		}
		if known >= 2 && !tie {
			all := unite(pairs)
			return messages.Finding{Text: titled(things[best].text, q.Text, all), Confidence: confidenceCompared * chainConfidence(pairs), Sources: all}, true
		}
	}
	// An answer that names one option and no other, the last first.
	for p := len(pairs) - 1; p >= 0; p-- {
		toks := lang.Tokens(clip(pairs[p].Answer, 512))
		at, n := -1, 0
		for i := range things {
			if things[i].in(toks) >= 0.75 {
				at = i
				n++
			}
		}
		if n == 1 {
			return messages.Finding{Text: things[at].text, Confidence: chainConfidence(pairs[p : p+1]), Sources: prefer(unite(pairs), pairs[p].Sources)}, true
		}
	}
	return messages.Finding{}, false
}

// weighed resolves a comparison by what the two things of its plan led to: which of
// them is further in the direction asked for, or whether they end alike.
func weighed(q *lang.Question, p *plan, pairs []messages.Pair) (messages.Finding, bool) {
	answers := p.answers(q.Text, pairs)
	var ends [2]chainEnd
	for i, step := range p.sides {
		if answers[step] == "" {
			return messages.Finding{}, false
		}
		ends[i].read(answers[step])
		if p.lives {
			died := ends[i]
			if ends[i].read(answers[step-1]); !died.date || !ends[i].date {
				return messages.Finding{}, false
			}
			ends[i].dates = died.dates - ends[i].dates
		}
	}
	f := messages.Finding{Confidence: confidenceCompared * chainConfidence(pairs), Sources: unite(pairs)}
	a, b := &ends[0], &ends[1]
	if p.alike {
		no := [2]bool{lang.Norm(a.answer) == "no", lang.Norm(b.answer) == "no"}
		asked := askedCountry(q)
		switch {
		case no[0] || no[1] || lang.Norm(a.answer) == "yes" || lang.Norm(b.answer) == "yes":
			f.Text = yesText(!no[0] && !no[1])
		case asked != "":
			f.Text = yesText(sameCountry(a.states, []string{asked}) && sameCountry(b.states, []string{asked}))
		default:
			f.Text = yesText(sameEnd(a, b))
		}
		return f, true
	}
	x, y, ok := a.dates, b.dates, a.date && b.date
	if !ok || !q.ByDate && !p.lives && a.count && b.count {
		x, y, ok = a.number, b.number, a.count && b.count
	}
	if !ok || x == y || q.Compare == lang.None {
		return messages.Finding{}, false
	}
	f.Text = tidy(p.things[1])
	if better(q.Compare, x, y) {
		f.Text = tidy(p.things[0])
	}
	f.Text = titled(f.Text, q.Text, f.Sources)
	return f, true
}

// titled returns the title that a thing is a part of and the question has whole:
// documents know best where a name begins and ends.
func titled(thing, question string, sources []messages.Source) string {
	asked, part := strings.ToLower(question), strings.ToLower(thing)
	for i := range sources {
		title, _, _ := strings.Cut(sources[i].Title, " (")
		if low := strings.ToLower(title); len(low) > len(part) && strings.Contains(low, part) && strings.Contains(asked, low) {
			thing, part = title, low
		}
	}
	return thing
}

// optionsOf returns what an either-or question offers: the things its plan
// asks about, where it has one, as titles with commas are whole there.
func optionsOf(q *lang.Question, p *plan) []string {
	if len(q.Options) <= 3 && p.compare {
		return []string{tidy(p.things[0]), tidy(p.things[1])}
	}
	out := make([]string, 0, maxOptions)
	for _, o := range q.Options[:min(len(q.Options), maxOptions)] {
		out = append(out, tidy(o.Text))
	}
	return out
}

// lifespan returns the time between the dates of the pairs that name t, where
// there are two: who lived longer, what lasted longer.
func lifespan(t *thing, pairs []messages.Pair, questions [][]lang.Token) (float64, bool) {
	var first, last float64
	n := 0
	for i := range pairs {
		if t.in(questions[i]) < 0.75 {
			continue
		}
		var e chainEnd
		if e.read(pairs[i].Answer); !e.date {
			continue
		}
		if n == 0 || e.dates < first {
			first = e.dates
		}
		if n == 0 || e.dates > last {
			last = e.dates
		}
		n++
	}
	return last - first, n == 2
}

// leaves returns the ends of the pairs whose answers no other pair asks about.
func leaves(pairs []messages.Pair, questions [][]lang.Token) []chainEnd {
	var out []chainEnd
	for i := range pairs {
		t := thingOf(clip(pairs[i].Answer, 256))
		asked := false
		for j := range pairs {
			asked = asked || j != i && t.in(questions[j]) >= 0.75
		}
		if !asked && len(out) < maxOptions {
			e := chainEnd{pair: i}
			e.read(pairs[i].Answer)
			out = append(out, e)
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

// decided resolves a yes-or-no question: the things it names lead to the same
// answer or not, or the answers themselves are yes and no.
func decided(q *lang.Question, pairs []messages.Pair) (messages.Finding, bool) {
	yes, no := 0, 0
	for i := range pairs {
		switch lang.Norm(clip(pairs[i].Answer, 8)) {
		case "yes":
			yes++
		case "no":
			no++
		}
	}
	result := func(is bool, c float64) (messages.Finding, bool) {
		return messages.Finding{Text: yesText(is), Confidence: c * chainConfidence(pairs), Sources: unite(pairs)}, true
	}
	if yes+no == len(pairs) {
		return result(no == 0, confidenceCompared)
	}
	questions := tokenised(pairs)
	qq := query{Question: *q}
	things := thingsOf(&qq)
	var ends []chainEnd
	for i := range things {
		if e, ok := follow(distinct(things, i), pairs, questions); ok {
			if len(ends) == 0 || ends[len(ends)-1].pair != e.pair {
				ends = append(ends, e)
			}
		}
	}
	if len(ends) < 2 { // the names were not found: where the pairs end
		if l := leaves(pairs, questions); len(l) == 2 || len(pairs) == 2 {
			ends = l
		}
	}
	if len(ends) >= 2 {
		a, b := &ends[0], &ends[1]
		if c := askedCountry(q); c != "" {
			return result(sameCountry(a.states, []string{c}) && sameCountry(b.states, []string{c}), confidenceCompared)
		}
		return result(sameEnd(a, b), confidenceCompared)
	}
	if yes+no > 0 {
		return result(no == 0, confidenceSupported)
	}
	return messages.Finding{}, false
}

func askedCountry(q *lang.Question) string {
	for i := range q.Tokens {
		if t := &q.Tokens[i]; t.Cap && i > 0 && lang.ClassOf(t.Norm)&lang.Demonym != 0 {
			return lang.CountryOf(t.Norm)
		}
	}
	return ""
}

// sameEnd reports whether two chains end alike: in one country, at one date,
// or in the same words.
func sameEnd(a, b *chainEnd) bool {
	switch {
	case len(a.states) > 0 && len(b.states) > 0:
		return sameCountry(a.states, b.states)
	case a.date && b.date:
		return a.dates == b.dates
	}
	return agree(answerKey(a.answer), answerKey(b.answer)) > 0
}
