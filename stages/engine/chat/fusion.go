package chat

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Fuse makes one answer of those found at several scales (MGA-RAG). Answers
// that agree need no model; scales that found nothing do not count. Of lists,
// the items are united.
func (e *engine) Fuse(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error) {
	var answers []string
	var items []messages.Claim // the items of the lists, and the answers that are no lists
	lists := false
	seen := map[string]bool{}
	for _, f := range findings {
		if f.Text == "" {
			continue
		}
		if key := said(&f); !seen[key] {
			answers = append(answers, f.Text)
			seen[key] = true
		}
		if lists = lists || len(f.Claims) > 1; len(f.Claims) == 0 {
			items = addClaim(items, messages.Claim{Text: f.Text, Citations: f.Sources})
		}
		for _, c := range f.Claims {
			items = addClaim(items, c)
		}
	}
	switch len(answers) {
	case 0:
		return messages.Finding{}, nil
	case 1:
		f := agreeing(answers[0], findings)
		if lists { // of the same items, in whatever order
			all := listed(items)
			all.Confidence = f.Confidence
			return all, nil
		}
		return f, nil
	}
	fused := finding()
	fused.read = func(o model.Object, _ int) (messages.Finding, error) {
		text, err := o.Text("answer", maxText)
		if text = unlessNone(prompts.Plain(text)); err == nil && text == "" {
			err = errors.New(`"answer" is empty: choose or combine the answers given`)
		}
		return messages.Finding{Text: text}, err
	}
	a, err := ask(ctx, e, roles.Fusion, "fusion", prompts.Data{Question: question, Answers: answers}, fused)
	if err != nil {
		return a.Value, err
	}
	f := agreeing(a.Value.Text, findings)
	if lists {
		if claims := supported(f.Text, items); claims != nil {
			f = listed(claims)
		}
	}
	f.Confidence = a.Reply.Confidence(f.Text)
	return f, nil
}

// said returns a finding's text in a form that can be compared: normalised, and
// the items of a list sorted.
func said(f *messages.Finding) string {
	if len(f.Claims) < 2 {
		return fold(f.Text)
	}
	keys := make([]string, len(f.Claims))
	for i, c := range f.Claims {
		keys[i] = fold(c.Text)
	}
	slices.Sort(keys)
	return strings.Join(keys, between)
}

// agreeing returns a finding with that text, and with the confidence and the
// sources of the findings that say the same, or of all if none of these has a
// source.
func agreeing(text string, findings []messages.Finding) messages.Finding {
	out := messages.Finding{Text: text}
	for _, same := range [...]bool{true, false} {
		for _, f := range findings {
			if f.Text == "" || same && fold(f.Text) != fold(text) {
				continue
			}
			out.Confidence = max(out.Confidence, f.Confidence)
			out.Sources = messages.AddSources(out.Sources, f.Sources...)
		}
		if len(out.Sources) > 0 {
			break
		}
	}
	return out
}

// fold makes answers comparable: in lower case, without the marks of a
// sentence. Others count: "C++" is not "C".
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return strings.ContainsRune(" .,;:!?\"'()[]-–—", r)
	}), " ")
}
