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
	return schema("quotes", quotes(n), "answer", aText, "passages", numbers(n), "items?", items("passages", n))
}

// items is the definition of a list of answers, each with the numbers of those it
// is made of, by the field from, and with its fields where it is a record.
func items(from string, n int) string {
	return fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, schema(from, numbers(n), "answer", aText, "fields?", fields()), maxItems)
}

// readItems reads the items of a list. The field from holds the numbers, up to n,
// of what an item is said to come from; support says what that rests on.
func readItems(o model.Object, from string, n int, support func(numbers []int) messages.Claim) []messages.Claim {
	var out []messages.Claim
	for _, item := range o.Objects("items", maxItems) {
		text, err := item.Text("answer", maxText)
		if err != nil {
			continue
		}
		if text = unlessNone(prompts.Plain(text)); text == "" {
			continue
		}
		own, _ := item.Numbers(from, n) // the numbers may be missing
		c := support(own)
		c.Text, c.Fields = text, readFields(item)
		out = addClaim(out, c)
	}
	return out
}

// isList reports whether claims are a list: several, or one that is a record.
func isList(claims []messages.Claim) bool {
	return len(claims) > 1 || len(claims) == 1 && len(claims[0].Fields) > 0
}

// listed is a finding of several claims.
func listed(claims []messages.Claim) messages.Finding {
	f := messages.Finding{Claims: claims}
	texts := make([]string, len(claims))
	for i := range claims {
		texts[i] = inWords(&claims[i])
		f.Sources = messages.AddSources(f.Sources, claims[i].Citations...)
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

// addClaim adds a claim, or its fields and what supports it to one that says the
// same.
func addClaim(all []messages.Claim, c messages.Claim) []messages.Claim {
	for i := range all {
		if fold(all[i].Text) == fold(c.Text) {
			all[i].Citations = messages.AddSources(all[i].Citations, c.Citations...)
			all[i].Evidence = addEvidence(all[i].Evidence, c.Evidence...)
			all[i].Fields = addFields(all[i].Fields, c.Fields...)
			return all
		}
	}
	c.Citations, c.Evidence, c.Fields = append([]messages.Source(nil), c.Citations...), addEvidence(nil, c.Evidence...), addFields(nil, c.Fields...)
	return append(all, c)
}

// supported are the items of a list, each with the fields and what supports the one
// of known that says the same; nothing, unless they are a list and each has one.
func supported(text string, known []messages.Claim) []messages.Claim {
	var out []messages.Claim
	for item := range strings.SplitSeq(text, ";") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		here := false
		for i := range known {
			k := &known[i]
			name := item
			if len(k.Fields) > 0 {
				name, _, _ = strings.Cut(item, recordBegins)
			}
			if fold(k.Text) == fold(name) {
				out, here = addClaim(out, messages.Claim{Text: name, Fields: k.Fields, Citations: k.Citations, Evidence: k.Evidence}), true
			}
		}
		if !here {
			return nil
		}
	}
	if !isList(out) || len(out) > messages.MaxClaims {
		return nil
	}
	return out
}
