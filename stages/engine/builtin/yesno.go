package builtin

import (
	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

// yesNo answers a yes-or-no question. One about two things compares what the
// windows say of them: their countries, or whether both have the property the
// question states. One about a single thing is answered by the unit that is
// nearest to it: "no" where that denies something and the question does not, or
// the other way round.
func yesNo(sc *scratch, q *query, page *read.Page) messages.Finding {
	if things := thingsOf(q); len(things) >= 2 {
		if f, ok := bothOf(sc, q, things[:2]); ok {
			return f
		}
	}
	best := page.Best()
	if best < 0 {
		return messages.Finding{}
	}
	asked := false
	for i := range q.Tokens {
		asked = asked || lang.Denies(q.Tokens[i].Norm)
	}
	s := page.Around(best, maxBasis)
	x := &page.Texts[s.Text]
	return messages.Finding{
		Text: yesText(page.Denies(best) == asked), Confidence: confidenceGuess,
		Sources: []messages.Source{{ID: x.ID, Title: x.Title}}, Evidence: quoted(page, s),
	}
}

// maxBasis is how many words are quoted for yes or no.
const maxBasis = 50

func yesText(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// thingsOf returns the names in a question; a name in brackets belongs to the
// one before it.
func thingsOf(q *query) []thing {
	var out []thing
	names := lang.Entities(q.Text, q.Tokens)
	for i := range names {
		n := &names[i]
		t := &q.Tokens[n.From]
		if t.Sep.Any(lang.Open) || n.To-n.From == 1 && lang.ClassOf(t.Norm)&(lang.Demonym|lang.Country) != 0 || n.From == 0 && t.Stop {
			continue
		}
		if th := thingOf(n.Text); len(th.hashes) > 0 && len(out) < maxOptions {
			out = append(out, th)
		}
	}
	return out
}

func bothOf(sc *scratch, q *query, things []thing) (messages.Finding, bool) {
	country := ""
	bycountry := false
	var named uint64
	for i := range q.Tokens {
		t := &q.Tokens[i]
		switch t.Norm {
		case "country", "nationality", "nation", "countries":
			bycountry = true
		}
		if t.Cap && lang.ClassOf(t.Norm)&(lang.Demonym|lang.Country) != 0 {
			country = lang.CountryOf(t.Norm)
		}
	}
	for i := range things {
		for _, h := range things[i].hashes {
			if k := q.find(h); k >= 0 {
				named |= 1 << k
			}
		}
	}
	if bycountry || country != "" && q.Same {
		a, ia := countriesOf(sc, &things[0])
		b, ib := countriesOf(sc, &things[1])
		if len(a) == 0 || len(b) == 0 {
			return messages.Finding{}, false
		}
		yes := sameCountry(a[:1], b[:1])
		if country != "" {
			yes = sameCountry(a, []string{country}) && sameCountry(b, []string{country})
		}
		return messages.Finding{Text: yesText(yes), Confidence: confidenceCompared,
			Sources: messages.AddSources([]messages.Source{sc.source(ia)}, sc.source(ib))}, true
	}
	// The property: the question's words that name neither thing.
	rest := (uint64(1)<<len(q.terms) - 1) &^ named
	if len(q.terms) == maxTerms {
		rest = ^named
	}
	whole := q.weigh(rest)
	if whole == 0 {
		return messages.Finding{}, false
	}
	yes, seen := true, 0
	var srcs []messages.Source
	for i := range things {
		var set uint64
		about(sc, &things[i], func(b int, _ float32) bool {
			for k := range sc.sents {
				if sc.sents[k].block == b {
					set |= sc.sents[k].set
				}
			}
			srcs = messages.AddSources(srcs, sc.source(b))
			seen |= 1 << i
			return len(srcs) < 4
		})
		yes = yes && q.weigh(set&rest) >= bothShare*whole
	}
	if seen != 3 {
		return messages.Finding{}, false
	}
	return messages.Finding{Text: yesText(yes), Confidence: confidenceSupported, Sources: srcs}, true
}
