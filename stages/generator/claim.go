package generator

import (
	"slices"
	"strings"

	"hopstream/messages"
)

// claims returns the parts of an answer that consists of several, each with its
// passages: the sub-answers of a compound question, or the items of the list
// that a sub-question was answered with. It returns nil for one alone, but not for
// a record.
func claims(in *messages.Generate, text string) []messages.Claim {
	if in.Class != messages.Compound {
		for i := len(in.Pairs) - 1; i >= 0; i-- {
			if p := &in.Pairs[i]; p.Answer == text {
				return p.Claims
			}
		}
		return nil
	}
	var out []messages.Claim
	for i := range in.Pairs {
		p := &in.Pairs[i]
		switch {
		case p.Open():
		case len(p.Claims) == 0:
			out = append(out, messages.Claim{Text: p.Answer, Question: p.Question, Citations: p.Sources, Evidence: p.Evidence})
		default:
			for _, c := range p.Claims {
				c.Question = p.Question
				out = append(out, c)
			}
		}
	}
	if len(out) == 1 && len(out[0].Fields) == 0 {
		return nil
	}
	return out
}

// distinct merges claims that differ only in case and white space, with the
// citations of all, and keeps their order. It returns nil for fewer than two, but
// not for one that is a record.
func distinct(all []messages.Claim, found []messages.Find) []messages.Claim {
	out := make([]messages.Claim, 0, len(all))
	at := map[string]int{}
	for _, c := range all {
		c.Citations = addressed(c.Citations, found)
		key := strings.ToLower(strings.Join(strings.Fields(c.Text), " "))
		i, ok := at[key]
		switch {
		case key == "":
		case !ok && len(out) < messages.MaxClaims:
			at[key] = len(out)
			out = append(out, c)
		case ok:
			// Clipped, as the list may be one that an engine keeps.
			out[i].Citations = messages.AddSources(slices.Clip(out[i].Citations), c.Citations...)
		}
	}
	if len(out) == 0 || len(out) == 1 && len(out[0].Fields) == 0 {
		return nil
	}
	return out
}
