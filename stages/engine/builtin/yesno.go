package builtin

import (
	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

// yesNo answers a yes-or-no question by the unit that is nearest to it: "no" where
// that denies something and the question does not, or the other way round.
func yesNo(q *query, page *read.Page) messages.Finding {
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
