package chat

import (
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// maxQuotes bounds the quotes of a reply; maxQuote one of them, in bytes. It is
// longer than a passage of the usual size.
const (
	maxQuotes = 3
	maxQuote  = 2000
)

// quotes is the definition of a list of quotes from n passages. In a schema it
// stands before the answer, so that a model looks for the words before it says
// what they mean.
func quotes(n int) string {
	return fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, schema("passage", number(n), "quote", aText), maxQuotes)
}

// readSupport reads what an answer from windows rests on. The sources are the
// windows whose numbers the reply gives, those of the whole answer first; the
// evidence is its quotes, each with its passage where its number is right. What
// the reply does not give, or gets wrong, is left out and nothing put in its
// place. Whether the quotes are there is for the caller to find out.
func readSupport(o model.Object, windows []messages.Window) (sources []messages.Source, evidence []messages.Evidence) {
	used, _ := o.Numbers("passages", len(windows)) // the numbers may be missing
	for _, q := range o.Objects("quotes", maxQuotes) {
		text, err := q.Lines("quote", maxQuote)
		text = unlessNone(prompts.Plain(text))
		if err != nil || text == "" {
			continue
		}
		e := messages.Evidence{Quote: text}
		if at, _ := q.Numbers("passage", len(windows)); len(at) > 0 {
			e.ID = windows[at[0]-1].Passage
			if !slices.Contains(used, at[0]) {
				used = append(used, at[0])
			}
		}
		evidence = addEvidence(evidence, e)
	}
	bare, _ := o.Texts("quotes", maxQuotes, maxQuote) // quotes without their numbers
	for _, text := range bare {
		if text = unlessNone(prompts.Plain(text)); text != "" {
			evidence = addEvidence(evidence, messages.Evidence{Quote: text})
		}
	}
	return cited(windows, used), evidence
}

// cited are the sources of the windows of these numbers.
func cited(windows []messages.Window, used []int) []messages.Source {
	var out []messages.Source
	for _, k := range used {
		out = messages.AddSources(out, messages.Source{ID: windows[k-1].Passage, Title: windows[k-1].Title})
	}
	return out
}

// rest adds what another answer rests on to what f does.
func rest(f *messages.Finding, sources []messages.Source, evidence []messages.Evidence) {
	f.Sources = messages.AddSources(f.Sources, sources...)
	f.Evidence = addEvidence(f.Evidence, evidence...)
}

// addEvidence adds quotes that are not there yet. Nobody has looked them up so
// far: their words tell them apart, not their positions.
func addEvidence(all []messages.Evidence, more ...messages.Evidence) []messages.Evidence {
	for _, e := range more {
		same := func(o messages.Evidence) bool { return o.ID == e.ID && o.Quote == e.Quote }
		if len(all) < messages.MaxEvidence && !slices.ContainsFunc(all, same) {
			all = append(all, e)
		}
	}
	return all
}
