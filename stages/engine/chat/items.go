package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// maxItems bounds the items of a list that one reply names.
const maxItems = 16

// between separates the items of a list in a text.
const between = "; "

// itemized is the schema of an answer from n windows: its quotes, then the answer
// with the numbers of its windows, and, where it is a list, the items with theirs.
func itemized(n int) json.RawMessage {
	item := schema("passages", numbers(n), "answer", aText)
	items := fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, item, maxItems)
	return schema("quotes", quotes(n), "answer", aText, "passages", numbers(n), "items?", items)
}

// readItems reads the items of a list, each with the windows that it is said to
// come from.
func readItems(o model.Object, windows []messages.Window) []messages.Claim {
	var out []messages.Claim
	for _, item := range o.Objects("items", maxItems) {
		text, err := item.Text("answer", maxText)
		if err != nil {
			continue
		}
		if text = unlessNone(prompts.Plain(text)); text == "" {
			continue
		}
		own, _ := item.Numbers("passages", len(windows)) // the numbers may be missing
		out = addClaim(out, messages.Claim{Text: text, Citations: cited(windows, own)})
	}
	return out
}

// listed is a finding of several claims.
func listed(claims []messages.Claim) messages.Finding {
	f := messages.Finding{Claims: claims}
	texts := make([]string, len(claims))
	for i, c := range claims {
		texts[i] = c.Text
		f.Sources = messages.AddSources(f.Sources, c.Citations...)
	}
	f.Text = strings.Join(texts, between)
	return f
}

// asList is f as a list of items, with what supports either.
func asList(f messages.Finding, items []messages.Claim) messages.Finding {
	out := listed(items)
	out.Confidence = f.Confidence
	rest(&out, f.Sources, f.Evidence)
	return out
}

// itemsOf are the items of the findings that are lists, and the texts of the
// others, each once.
func itemsOf(findings []messages.Finding) []messages.Claim {
	var out []messages.Claim
	for i := range findings {
		f := &findings[i]
		if f.Text != "" && len(f.Claims) == 0 {
			out = addClaim(out, messages.Claim{Text: f.Text, Citations: f.Sources, Evidence: f.Evidence})
		}
		for _, c := range f.Claims {
			out = addClaim(out, c)
		}
	}
	return out
}

// addClaim adds a claim, or what supports it to one that says the same.
func addClaim(all []messages.Claim, c messages.Claim) []messages.Claim {
	for i := range all {
		if fold(all[i].Text) == fold(c.Text) {
			all[i].Citations = messages.AddSources(all[i].Citations, c.Citations...)
			all[i].Evidence = addEvidence(all[i].Evidence, c.Evidence...)
			return all
		}
	}
	c.Citations, c.Evidence = append([]messages.Source(nil), c.Citations...), addEvidence(nil, c.Evidence...)
	return append(all, c)
}

// supported are the items of a list, each with what supports the one of known
// that says the same; nothing, unless there are several and each has one.
func supported(text string, known []messages.Claim) []messages.Claim {
	var out []messages.Claim
	for item := range strings.SplitSeq(text, ";") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		here := false
		for _, k := range known {
			if fold(k.Text) == fold(item) {
				out, here = addClaim(out, messages.Claim{Text: item, Citations: k.Citations, Evidence: k.Evidence}), true
			}
		}
		if !here {
			return nil
		}
	}
	if len(out) < 2 || len(out) > messages.MaxClaims {
		return nil
	}
	return out
}
