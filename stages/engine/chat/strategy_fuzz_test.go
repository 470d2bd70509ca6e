package chat

import (
	"errors"
	"slices"
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
		`{"answer":"","items":[{"answer":"Tarn","fields":{"a":"b","c":["d;",1]}},{"answer":"Holm","fields":[{"name":"a","value":"b"},{"x":"y"},3]}]}`,
		`{"queries":["Who?",""],"answers":["Venn drew it. It is long."],"statements":["Venn drew it.","It is long."]}`,
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
		if queries, err := e.Supplement(t.Context(), question, pairs); usable(err) {
			bounded(queries, 0, maxQueries)
		}
		if queries, err := e.Atomise(t.Context(), question); usable(err) {
			bounded(queries, 1, maxQueries)
		}
		if texts, err := e.Hypothesise(t.Context(), question); usable(err) {
			bounded(texts, 1, maxHypotheses)
		}
		if texts, err := e.Statements(t.Context(), question, []string{"a"}); usable(err) {
			bounded(texts, 1, messages.MaxQueries)
		}
		for _, ask := range []func() (messages.Finding, error){
			func() (messages.Finding, error) { return e.Answer(t.Context(), question, windows) },
			func() (messages.Finding, error) { return e.Summarise(t.Context(), question, windows) },
		} {
			found, err := ask()
			if !usable(err) {
				continue
			}
			if len(found.Claims) > 0 && !isList(found.Claims) || len(found.Claims) > maxItems || len(found.Evidence) > 2*maxQuotes || found.Text == "" && (found.Sources != nil || found.Evidence != nil) {
				t.Errorf("%+v", found)
			}
			cited := slices.Clone(found.Sources)
			for _, c := range found.Claims {
				if cited = append(cited, c.Citations...); c.Text == "" || len(c.Fields) > messages.MaxFields {
					t.Errorf("%+v", found)
				}
			}
			for _, e := range found.Evidence {
				if e.ID != "" {
					cited = append(cited, messages.Source{ID: e.ID, Title: map[string]string{"a": "Lumen Bridge", "b": "Orla Venn"}[e.ID]})
				}
				if strings.TrimSpace(e.Quote) == "" || len(e.Quote) > maxQuote {
					t.Errorf("%+v", found)
				}
			}
			for _, c := range cited {
				if !slices.ContainsFunc(windows, func(w messages.Window) bool { return w.Passage == c.ID && w.Title == c.Title }) {
					t.Errorf("%q is cited: %+v", c.ID, found)
				}
			}
		}
	})
}
