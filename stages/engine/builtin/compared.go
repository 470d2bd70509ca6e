package builtin

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/plan"
)

// side is one of the things that a question compares, and what it led to.
type side struct {
	thing string
	chainEnd
}

// sidesOf returns the two sides of a comparison by the answers to its own plan; false
// while one has none.
func sidesOf(p *plan.Plan, pairs []messages.Pair) ([]side, bool) {
	if !p.Compare {
		return nil, false
	}
	answers := p.Answers(pairs)
	out := make([]side, 2)
	for i, step := range p.Sides {
		if answers[step] == "" {
			return nil, false
		}
		out[i].thing = tidy(p.Things[i])
		out[i].read(answers[step])
		if p.Lives {
			died := out[i]
			if out[i].read(answers[step-1]); !died.date || !out[i].date {
				return nil, false
			}
			out[i].dates, out[i].count = died.dates-out[i].dates, false
		}
	}
	return out, true
}

// followed returns the sides of a comparison that was planned otherwise: each thing is
// followed from pair to pair.
func followed(things []thing, pairs []messages.Pair) []side {
	questions := tokenised(pairs)
	var out []side
	for i := range things {
		if e, ok := follow(distinct(things, i), pairs, questions); ok && (len(out) == 0 || out[len(out)-1].pair != e.pair) {
			out = append(out, side{things[i].text, e})
		}
	}
	return out
}

// compared resolves a comparison with what its pairs led to: by the dates or numbers of
// the options, or by whether both sides end alike.
func (e *engine) compared(q *lang.Question, p *plan.Plan, pairs []messages.Pair) (messages.Finding, bool) {
	f := messages.Finding{Confidence: confidenceCompared * chainConfidence(pairs), Sources: unite(pairs)}
	sides, own := sidesOf(p, e.short(pairs))
	switch {
	case own && p.Alike:
		f.Text = yesText(areAlike(q, sides))
		return f, true
	case q.Type == lang.YesNo:
		if best := furthest(q, sides); own && best >= 0 { // "is A older than B"
			f.Text = yesText(best == 0)
			return f, true
		}
		return decided(q, pairs, f)
	}
	if q.Type != lang.Choice && (!p.Compare || q.Compare == lang.None) {
		return f, false
	}
	things := make([]thing, 0, maxOptions)
	for _, o := range optionsOf(q, p) {
		if t := thingOf(o); len(t.hashes) > 0 {
			things = append(things, t)
		}
	}
	if !own {
		sides = followed(things, pairs)
	}
	if best := furthest(q, sides); best >= 0 {
		f.Text = titled(sides[best].thing, q.Text, f.Sources)
		return f, true
	}
	return named(things, pairs)
}

// furthest returns which side is further than all others in the direction that is
// asked for, by dates or by numbers; -1 if none is.
func furthest(q *lang.Question, sides []side) int {
	best, known, tie := -1, 0, false
	var top float64
	for i := range sides {
		s := &sides[i]
		v, ok := s.dates, s.date
		if s.count && (!q.ByDate || !ok) {
			v, ok = s.number, true
		}
		if !ok || q.Compare == lang.None {
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
	if known < 2 || tie {
		return -1
	}
	return best
}

// named returns the option that an answer names and no other, by the last such answer.
func named(things []thing, pairs []messages.Pair) (messages.Finding, bool) {
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

// decided resolves a yes-or-no question with f: by answers that are yes or no, or by
// whether what its things led to is alike.
func decided(q *lang.Question, pairs []messages.Pair, f messages.Finding) (messages.Finding, bool) {
	yes, no := 0, 0
	for i := range pairs {
		switch lang.Norm(clip(pairs[i].Answer, 8)) {
		case "yes":
			yes++
		case "no":
			no++
		}
	}
	f.Text = yesText(no == 0)
	if yes+no == len(pairs) {
		return f, true
	}
	sides := followed(thingsOf(&query{Question: *q}), pairs)
	if len(sides) < 2 { // the names were not found: where the pairs end
		if l := leaves(pairs, tokenised(pairs)); len(l) == 2 {
			sides = l
		}
	}
	if len(sides) >= 2 {
		f.Text = yesText(areAlike(q, sides))
		return f, true
	}
	f.Confidence *= confidenceSupported / confidenceCompared
	return f, yes+no > 0
}

// areAlike reports whether two sides end alike, are both what is asked, or are both of
// the country that the question names.
func areAlike(q *lang.Question, sides []side) bool {
	a, b := &sides[0], &sides[1]
	no := lang.Norm(a.answer) == "no" || lang.Norm(b.answer) == "no"
	if no || lang.Norm(a.answer) == "yes" || lang.Norm(b.answer) == "yes" {
		return !no
	}
	if c := askedCountry(q); c != "" {
		return sameCountry(a.states, []string{c}) && sameCountry(b.states, []string{c})
	}
	return sameEnd(&a.chainEnd, &b.chainEnd)
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
func optionsOf(q *lang.Question, p *plan.Plan) []string {
	if len(q.Options) <= 3 && p.Compare {
		return []string{tidy(p.Things[0]), tidy(p.Things[1])}
	}
	out := make([]string, 0, maxOptions)
	for _, o := range q.Options[:min(len(q.Options), maxOptions)] {
		out = append(out, tidy(o.Text))
	}
	return out
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
