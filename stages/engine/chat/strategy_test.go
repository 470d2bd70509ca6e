package chat

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/model"
)

// TestPlanIsBounded holds that a plan of too many parts is not cut short, and
// that the model is told.
func TestPlanIsBounded(t *testing.T) {
	t.Parallel()
	long := `{"questions":["a?","b?","c?","d?","e?","f?"]}`
	e, s := scripted(Options{}, long, `{"questions":["a?","b?"]}`)
	got, err := e.Plan(t.Context(), "q?")
	if err != nil || len(got) != 2 || len(s.Asked()) != 2 {
		t.Errorf("%v, %v, %d calls", got, err, len(s.Asked()))
	}
	if last := s.Asked()[1].Messages; !strings.Contains(last[len(last)-1].Text, "more than 5") {
		t.Errorf("%+v", last)
	}
	e, _ = scripted(Options{}, long)
	if _, err := e.Plan(t.Context(), "q?"); err == nil {
		t.Error("six parts")
	} else if _, ok := errors.AsType[*model.ReplyError](err); !ok {
		t.Error(err)
	}
}

// TestRepair holds what a reviser is shown when a plan could not be followed,
// and that it is not followed again.
func TestRepair(t *testing.T) {
	t.Parallel()
	const question, problem = "Where was the designer born?", "sub-question 2 found no answer"
	same, err := json.Marshal(map[string][]string{"questions": plan})
	if err != nil {
		t.Fatal(err)
	}
	for reply, want := range map[string][]string{
		`{"questions":["Who drew the plans?","In which town did [answer 1] grow up?"]}`: {"Who drew the plans?", "In which town did $1 grow up?"},
		`{"questions":[]}`: nil,
		string(same):       nil,
	} {
		e, s := scripted(Options{}, reply)
		got, err := e.Revise(t.Context(), question, plan, pairs[:1], problem)
		if err != nil || !slices.Equal(got, want) || len(s.Asked()) != 1 {
			t.Errorf("after %s: %v, %v", reply, got, err)
		}
		turns := s.Asked()[0].Messages
		want := prompts.Render("repair", prompts.Data{Question: question, Plan: plan, Pairs: found(pairs[:1]), Problem: problem})
		if turns[0].Text != want.System || turns[1].Text != want.User {
			t.Errorf("asks %+v", turns)
		}
	}
	plain := builtin.New(builtin.Options{})
	want, err := plain.Revise(t.Context(), question, plan, pairs[:1], problem)
	if err != nil {
		t.Fatal(err)
	}
	e, s := over(plain, Options{}, "I would rather not say, and that is all there is to it.")
	if got, err := e.Revise(t.Context(), question, plan, pairs[:1], problem); err != nil || !slices.Equal(got, want) || len(s.Asked()) != 2 {
		t.Errorf("with a fallback: %v, %v, want %v", got, err, want)
	}
}

func TestSupplementMayBeEmpty(t *testing.T) {
	t.Parallel()
	e, s := scripted(Options{}, `{"queries":[]}`)
	if got, err := e.Supplement(t.Context(), "q?", pairs); err != nil || len(got) != 0 || len(s.Asked()) != 1 {
		t.Errorf("%v, %v, %d calls", got, err, len(s.Asked()))
	}
	e, s = scripted(Options{}, `{"queries":[]}`, `{"queries":["Who?"]}`)
	if got, err := e.Atomise(t.Context(), "q?"); err != nil || len(got) != 1 || len(s.Asked()) != 2 {
		t.Errorf("a question has atomic queries: %v, %v, %d calls", got, err, len(s.Asked()))
	}
}

// TestListsAreUnited holds that a fused list's items keep what supports them.
func TestListsAreUnited(t *testing.T) {
	t.Parallel()
	a, b, c := []messages.Source{{ID: "a"}}, []messages.Source{{ID: "b"}}, []messages.Source{{ID: "c"}}
	list := func(claims ...messages.Claim) messages.Finding { return listed(claims) }
	tarn, holm := messages.Claim{Text: "Tarn", Citations: a}, messages.Claim{Text: "Holm", Citations: b}
	for name, x := range map[string]struct {
		findings []messages.Finding
		reply    string
		want     string // items and their sources
		calls    int
	}{
		"alike in another order": {[]messages.Finding{list(tarn, holm), list(holm, messages.Claim{Text: "tarn", Citations: c})}, "", "Tarn a c, Holm b", 0},
		"different":              {[]messages.Finding{list(tarn, holm), {Text: "Aune", Sources: c}}, `{"answer":"Tarn; Holm; Aune"}`, "Tarn a, Holm b, Aune c", 1},
		"one is left out":        {[]messages.Finding{list(tarn, holm), list(tarn, messages.Claim{Text: "Aune", Citations: c})}, `{"answer":"tarn; Aune"}`, "tarn a, Aune c", 1},
		"what nobody said":       {[]messages.Finding{list(tarn, holm), {Text: "Aune", Sources: c}}, `{"answer":"Tarn; Rome"}`, "", 1},
		"one thing only":         {[]messages.Finding{list(tarn, holm), {Text: "Aune", Sources: c}}, `{"answer":"Tarn"}`, "", 1},
		"no lists":               {[]messages.Finding{{Text: "Tarn", Sources: a}, {Text: "Holm", Sources: b}}, `{"answer":"Tarn; Holm"}`, "", 1},
	} {
		e, s := scripted(Options{}, x.reply)
		f, err := e.Fuse(t.Context(), "Which?", x.findings, nil)
		if got := claimsOf(f.Claims); err != nil || got != x.want || len(s.Asked()) != x.calls || f.Text == "" || len(f.Sources) == 0 {
			t.Errorf("%s: %s, %+v, %v, %d calls", name, got, f, err, len(s.Asked()))
		}
	}
	if x := answers[0]; x.Claims != nil { // what is given stays as it is
		t.Error(x)
	}
}

// TestSynthesisOfLists holds that the items of a complex question's answer
// tell their support, or there are none.
func TestSynthesisOfLists(t *testing.T) {
	t.Parallel()
	known := append(slices.Clone(pairs), messages.Pair{Question: "Which towns?", Answer: "Holm; Aune", Claims: []messages.Claim{{Text: "Holm", Citations: []messages.Source{{ID: "h"}}}, {Text: "Aune"}}})
	for reply, want := range map[string]string{
		`{"answer":"Tarn; holm."}`:   "Tarn b a, holm. h",
		`{"answer":["Tarn","Holm"]}`: "Tarn b a, Holm h",
		`{"answer":"Tarn; Rome"}`:    "",
		`{"answer":"Tarn"}`:          "",
	} {
		e, _ := scripted(Options{}, reply)
		f, err := e.Synthesize(t.Context(), "Which?", messages.Complex, known)
		if got := claimsOf(f.Claims); err != nil || got != want || f.Text == "" {
			t.Errorf("%s: %s, %+v, %v", reply, got, f, err)
		}
	}
	e, _ := scripted(Options{}, `{"answer":"Tarn; Holm"}`)
	if f, err := e.Synthesize(t.Context(), "Which?", messages.Compound, known); err != nil || f.Claims != nil {
		t.Error(f, err)
	}
}

// TestComposedEvidence holds that an answer made of others rests on what those
// do that the model names, or that say the same, and on no other.
func TestComposedEvidence(t *testing.T) {
	t.Parallel()
	on := func(id string, quotes ...string) (f messages.Finding) {
		f.Text, f.Sources = "answer "+id, []messages.Source{{ID: id}}
		for _, q := range quotes {
			f.Evidence = append(f.Evidence, messages.Evidence{ID: id, Quote: q})
		}
		return f
	}
	a, b, c := on("a", "one", "two"), on("b", "three"), on("c", "one")
	list := listed([]messages.Claim{{Text: "Tarn", Citations: a.Sources, Evidence: a.Evidence}, {Text: "Holm", Citations: b.Sources, Evidence: b.Evidence}})
	again := a
	again.Sources, again.Evidence = c.Sources, c.Evidence
	for reply, x := range map[string]struct {
		findings []messages.Finding
		want     string
	}{
		`{"readers":[2],"answer":"so"}`:         {[]messages.Finding{a, b, c}, "b b/three"},
		`{"readers":[3,1,9],"answer":"so"}`:     {[]messages.Finding{a, b, c}, "a c a/one a/two c/one"},
		`{"readers":[2],"answer":"Answer a."}`:  {[]messages.Finding{a, b, c}, "a b a/one a/two b/three"},
		`{"answer":"so"}`:                       {[]messages.Finding{a, b, c}, ""},
		`{"readers":[],"answer":"answer c"}`:    {[]messages.Finding{a, b, c}, "c c/one"},
		`{"readers":[1],"answer":"as well"}`:    {[]messages.Finding{a, again, b}, "a c a/one a/two c/one"},
		`{"readers":[2],"answer":"after none"}`: {[]messages.Finding{a, {}, b}, "b b/three"},
		`{"readers":[],"answer":"holm"}`:        {[]messages.Finding{list, c}, "b b/three"},
		`{"never":"asked"}`:                     {[]messages.Finding{a, {}, again}, "a c a/one a/two c/one"},
	} {
		e, _ := scripted(Options{}, reply)
		if f, err := e.Fuse(t.Context(), "Which?", x.findings, nil); err != nil || restsOn(f) != x.want {
			t.Errorf("%s: %q, %v, want %q", reply, restsOn(f), err, x.want)
		}
	}
	known := []messages.Pair{{Question: "1?", Answer: a.Text, Sources: a.Sources, Evidence: a.Evidence}, {Question: "2?", Failed: true, Sources: c.Sources},
		{Question: "3?", Answer: b.Text, Sources: b.Sources, Evidence: b.Evidence}}
	for reply, want := range map[string]string{
		`{"findings":[1,3],"answer":"so"}`:  "b a b/three a/one a/two",
		`{"findings":[2,4],"answer":"so"}`:  "",
		`{"answer":"so"}`:                   "",
		`{"answer":"answer b"}`:             "b b/three",
		`{"answer":"answer a; something"}`:  "a a/one a/two",
		`{"findings":[1],"answer":"maybe"}`: "a a/one a/two",
	} {
		e, _ := scripted(Options{}, reply)
		if f, err := e.Synthesize(t.Context(), "Which?", messages.Complex, known); err != nil || restsOn(f) != want {
			t.Errorf("%s: %q, %v, want %q", reply, restsOn(f), err, want)
		}
	}
}

// restsOn are the sources of a finding, and its evidence.
func restsOn(f messages.Finding) string {
	var out []string
	for _, s := range f.Sources {
		out = append(out, s.ID)
	}
	for _, e := range f.Evidence {
		out = append(out, e.ID+"/"+e.Quote)
	}
	return strings.Join(out, " ")
}

func claimsOf(claims []messages.Claim) string {
	out := make([]string, len(claims))
	for i, c := range claims {
		out[i] = c.Text
		for _, s := range c.Citations {
			out[i] += " " + s.ID
		}
	}
	return strings.Join(out, ", ")
}
