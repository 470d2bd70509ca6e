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

// itemized is the schema of an answer from n windows: one with the numbers of
// its windows, and, where it is a list, the items with theirs.
func itemized(n int) json.RawMessage {
	one := []string{"passages", numbers(n), "answer", aText}
	items := fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, schema(one...), maxItems)
	return schema(append(one, "items?", items)...)
}

// readItems reads the items of a list, each with the windows it comes from,
// or else those that the whole answer comes from.
func readItems(o model.Object, windows []messages.Window, used []int) []messages.Claim {
	var out []messages.Claim
	for _, item := range o.Objects("items", maxItems) {
		text, err := item.Text("answer", maxText)
		if err != nil {
			continue
		}
		if text = unlessNone(prompts.Plain(text)); text == "" {
			continue
		}
		own, _ := item.Numbers("passages", len(windows))
		if len(own) == 0 {
			own = used
		}
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

// addClaim adds a claim, or its citations to one that says the same.
func addClaim(all []messages.Claim, c messages.Claim) []messages.Claim {
	for i := range all {
		if fold(all[i].Text) == fold(c.Text) {
			all[i].Citations = messages.AddSources(all[i].Citations, c.Citations...)
			return all
		}
	}
	c.Citations = append([]messages.Source(nil), c.Citations...)
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
				out, here = addClaim(out, messages.Claim{Text: item, Citations: k.Citations}), true
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

// cited are the sources of the windows of these numbers, or else of the first.
func cited(windows []messages.Window, used []int) []messages.Source {
	if len(used) == 0 {
		used = []int{1}
	}
	var out []messages.Source
	for _, k := range used {
		out = messages.AddSources(out, messages.Source{ID: windows[k-1].Passage, Title: windows[k-1].Title})
	}
	return out
}
