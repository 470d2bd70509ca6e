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

// Fuse makes one answer of those found at several scales of the passages, which
// it shows besides (MGA-RAG). The paper asks the model always; here answers that
// agree need none. It is shown every answer, so that it sees how many scales gave
// one; scales that found nothing do not count. Of lists, the items are
// united. The answer rests on what those findings do that the model names, and
// those that say the same.
func (e *engine) Fuse(ctx context.Context, question string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error) {
	var answers []string
	number := map[string][]int{} // of the answers that say the same, from 1
	lists := false
	for i := range findings {
		f := &findings[i]
		if f.Text == "" {
			continue
		}
		answers = append(answers, f.Text)
		number[said(f)] = append(number[said(f)], len(answers))
		lists = lists || isList(f.Claims)
	}
	switch len(number) {
	case 0:
		return messages.Finding{}, nil
	case 1:
		f := resting(answers[0], findings, func(int) bool { return true })
		if lists { // of the same items, in whatever order
			f = asList(f, itemsOf(findings))
		}
		return f, nil
	}
	a, err := ask(ctx, e, roles.Fusion, "fusion", prompts.Data{Question: question, Passages: pages(passages), Answers: answers}, fusing(len(answers)))
	if err != nil {
		return messages.Finding{}, err
	}
	f := resting(a.Value.text, findings, func(i int) bool {
		return slices.ContainsFunc(number[said(&findings[i])], func(n int) bool { return slices.Contains(a.Value.from, n) })
	})
	if lists {
		if items := supported(f.Text, itemsOf(findings)); items != nil {
			f = asList(f, items)
		}
	}
	f.Confidence = a.Reply.Confidence(f.Text)
	return f, nil
}

// fusing is the form of an answer made of n, which is never empty.
func fusing(n int) form[composition] {
	f := composing("readers", n)
	read := f.read
	f.read = func(o model.Object, shown int) (composition, error) {
		c, err := read(o, shown)
		if err == nil && c.text == "" {
			err = errors.New(`"answer" is empty: choose or combine the answers given`)
		}
		return c, err
	}
	return f
}

// resting returns a finding with that text, and with the confidence and what
// supports those of the findings that are named or say the same, or a part of
// it. Findings without a text count for nothing.
func resting(text string, findings []messages.Finding, named func(i int) bool) messages.Finding {
	out, parts := messages.Finding{Text: text}, map[string]bool{fold(text): true}
	for part := range strings.SplitSeq(text, ";") {
		parts[fold(part)] = true
	}
	delete(parts, "")
	for i := range findings {
		f := &findings[i]
		if f.Text == "" {
			continue
		}
		if named(i) || parts[fold(f.Text)] {
			out.Confidence = max(out.Confidence, f.Confidence)
			rest(&out, f.Sources, f.Evidence)
			continue
		}
		for _, c := range f.Claims {
			if parts[fold(c.Text)] {
				rest(&out, c.Citations, c.Evidence)
			}
		}
	}
	return out
}

// said returns a finding's text in a form that can be compared: normalised, and
// the items of a list sorted.
func said(f *messages.Finding) string {
	if !isList(f.Claims) {
		return fold(f.Text)
	}
	keys := make([]string, len(f.Claims))
	for i, c := range f.Claims {
		keys[i] = fold(c.Text)
	}
	slices.Sort(keys)
	return strings.Join(keys, between)
}

// fold makes answers comparable: in lower case, without white space and the
// marks of a sentence. Others count: "C++" is not "C".
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return strings.ContainsRune(" \t\n.,;:!?\"'()[]-–—", r)
	}), " ")
}
