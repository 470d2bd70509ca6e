package chat

import (
	"errors"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/model"
)

// FuzzReplies holds that whatever a model replies is within bounds: plans and
// queries that a message can hold, and items that each have a source.
func FuzzReplies(f *testing.F) {
	for _, reply := range []string{
		`{"questions":["Who?","Where was [answer 1] born?"],"queries":["a"],"passages":[1],"summary":"x","answer":"x"}`,
		`{"passages":[],"answer":"","items":[{"passages":[2],"answer":"Tarn"},{"answer":"Holm"},{"answer":"tarn.","passages":[9,"1"]}]}`,
		`{"answer":"","items":{"answer":["a","b"]}}`, `{"questions":"ok","queries":[],"answer":["Tarn","Holm"]}`, `["a","b`, `{"questions":[{"q":"$1 = a"}]}`,
	} {
		f.Add(reply, "Where was the designer born?")
	}
	f.Fuzz(func(t *testing.T, reply, question string) {
		if len(question) > messages.MaxQuestion {
			return
		}
		e, _ := scripted(Options{}, reply)
		usable := func(err error) bool {
			if _, unusable := errors.AsType[*model.ReplyError](err); err != nil && !unusable && !errors.Is(err, model.ErrTooLong) {
				t.Fatal(err)
			}
			return err == nil
		}
		bounded := func(parts []string, least, most int) {
			if len(parts) < least || len(parts) > most {
				t.Errorf("%d to %d texts: %q", least, most, parts)
			}
			for _, p := range parts {
				if strings.TrimSpace(p) == "" || len(p) > messages.MaxQuestion {
					t.Errorf("%q", parts)
				}
			}
		}
		if parts, err := e.Plan(t.Context(), question); usable(err) {
			bounded(parts, 1, messages.MaxParts)
		}
		if parts, err := e.Revise(t.Context(), question, plan, pairs, ""); usable(err) {
			bounded(parts, 1, messages.MaxParts)
		}
		if parts, err := e.Revise(t.Context(), question, plan, pairs, "it stalls"); usable(err) {
			bounded(parts, 0, messages.MaxParts)
		}
		if queries, err := e.Supplement(t.Context(), question, nil); usable(err) {
			bounded(queries, 1, messages.MaxBranches)
		}
		for _, ask := range []func() (messages.Finding, error){
			func() (messages.Finding, error) { return e.Answer(t.Context(), question, windows) },
			func() (messages.Finding, error) { return e.Summarise(t.Context(), question, windows) },
		} {
			found, err := ask()
			if !usable(err) {
				continue
			}
			if (found.Text == "") != (len(found.Sources) == 0) || len(found.Claims) == 1 || len(found.Claims) > maxItems {
				t.Errorf("%+v", found)
			}
			for _, c := range found.Claims {
				if c.Text == "" || len(c.Citations) == 0 {
					t.Errorf("%+v", found)
				}
			}
		}
	})
}
