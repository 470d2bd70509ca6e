package eval

import (
	"context"
	"math"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/messages"
)

// What is wanted of a question, and what of it can stand in a passage.
func TestGoldFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q                  dataset.Question
		wanted, steps, irr int
	}{
		{dataset.Question{Answers: []string{"a", "b"}}, 0, 1, 1},
		{dataset.Question{Answers: []string{"x", "y"}, List: true}, 2, 2, 2},
		{dataset.Question{Answers: []string{"text"}, Entities: []dataset.Entity{{"x"}, {"y", "z"}}}, 2, 2, 2},
		{dataset.Question{Answers: []string{"Yes"}}, 0, 0, 0},
		{dataset.Question{Answers: []string{"no"}, Decomposition: []dataset.Step{{Answer: "Oslo"}, {Answer: "no"}, {}}}, 0, 1, 1},
		{dataset.Question{Answers: []string{"x", "y"}, List: true, Decomposition: []dataset.Step{{Answer: "Oslo"}}}, 2, 1, 2},
	} {
		if w, s, i := len(wanted(&c.q)), len(steps(&c.q)), len(retrievable(&c.q)); w != c.wanted || s != c.steps || i != c.irr {
			t.Errorf("%+v: %d wanted, %d steps, %d facts, want %d, %d, %d", c.q, w, s, i, c.wanted, c.steps, c.irr)
		}
	}
	q := dataset.Question{Answers: []string{"Oslo", "Christiania"}, Decomposition: []dataset.Step{{Answer: "Oslo"}}}
	if got := steps(&q); len(got[0]) != 3 {
		t.Errorf("the last step's answer has the names %q", got[0])
	}
}

// sayer judges as it is told, and notes what it was asked.
type sayer struct {
	same  bool
	asked []string
}

func (s *sayer) Equivalent(_ context.Context, question, prediction string, golds []string) (bool, error) {
	s.asked = append(s.asked, question+"|"+prediction+"|"+strings.Join(golds, "|"))
	return s.same, nil
}

// A judge is asked of answers that are neither the gold one to the letter nor
// empty.
func TestEvalJudge(t *testing.T) {
	t.Parallel()
	one := dataset.Question{ID: "1", Question: "Who?", Answers: []string{"Mina Quist", "M. Quist"}}
	list := dataset.Question{ID: "2", Question: "Which?", Answers: []string{"Arlen", "Oslo"}, List: true}
	for _, c := range []struct {
		q      dataset.Question
		answer string
		says   bool
		asked  string
		judged any
	}{
		{one, "the inventor Quist", true, "Who?|the inventor Quist|Mina Quist|M. Quist", true},
		{one, "Rome", false, "Who?|Rome|Mina Quist|M. Quist", false},
		{one, "mina quist!", false, "", true},
		{one, "", true, "", false},
		{list, "Arlen and Oslo", true, "Which?|Arlen and Oslo|Arlen; Oslo", true},
		{dataset.Question{ID: "3", Question: "What?"}, "x", true, "", nil},
	} {
		judge := &sayer{same: c.says}
		r, err := scorer{judge: judge}.score(t.Context(), &c.q, &messages.Answer{ID: c.q.ID, Answer: c.answer, Status: messages.Answered}, trail{})
		if err != nil {
			t.Fatal(err)
		}
		var judged any
		if r.Judged != nil {
			judged = *r.Judged
		}
		if got := strings.Join(judge.asked, " "); got != c.asked || judged != c.judged {
			t.Errorf("of %q the judge was asked %q and it counts as %v, want %q and %v", c.answer, got, judged, c.asked, c.judged)
		}
	}
}

// What the answer of a list gives are its claims; without any, it is one.
func TestEvalLists(t *testing.T) {
	t.Parallel()
	q := dataset.Question{ID: "1", Question: "Which?", Answers: []string{"Arlen", "Oslo", "Velm"}, List: true}
	a := messages.Answer{ID: "1", Answer: "Arlen; Rome; Oslo", Class: messages.Single}
	var r report.Record
	scoreAnswer(&r, &q, &a)
	if *r.AA != 1 || math.Abs(*r.AC-2.0/3) > 1e-9 || math.Abs(r.Acc-2.0/3) > 1e-9 || math.Abs(r.F1-2.0/3) > 1e-9 || r.EM != 0 {
		t.Errorf("as one: AA %v, AC %v, %+v", *r.AA, *r.AC, r)
	}
	a.Claims = []messages.Claim{{Text: "Arlen"}, {Text: "Rome"}, {Text: "Oslo"}}
	scoreAnswer(&r, &q, &a)
	if math.Abs(*r.AA-2.0/3) > 1e-9 || math.Abs(*r.AC-2.0/3) > 1e-9 {
		t.Errorf("as three: AA %v, AC %v", *r.AA, *r.AC)
	}
	a.Claims = []messages.Claim{{Text: "Velm"}, {Text: "arlen"}, {Text: "Oslo"}}
	if scoreAnswer(&r, &q, &a); r.EM != 1 {
		t.Errorf("all of them and nothing else: EM %v", r.EM)
	}
}

// Records are compared field by field where the answer has fields, else by what
// stands in its text; retrieval is measured by facts, each once.
func TestEvalRecords(t *testing.T) {
	t.Parallel()
	q := dataset.Question{ID: "1", Question: "Which drugs, and what do they cause?", Records: []dataset.Record{
		{{Name: "drug_name", Value: "Lumenol"}, {Name: "active_molecule", Value: ""}, {Name: "adverse_effects", Value: "nausea; dizziness"}},
		{{Name: "drug_name", Value: "Tarnbex"}, {Name: "active_molecule", Value: "lumen citrate"}, {Name: "adverse_effects", Value: "nausea"}},
	}}
	claim := func(text string, fields ...string) (c messages.Claim) {
		c.Text = text
		for i := 0; i < len(fields); i += 2 {
			c.Fields = append(c.Fields, messages.Field{Name: fields[i], Value: fields[i+1]})
		}
		return c
	}
	for _, c := range []struct {
		what   string
		answer messages.Answer
		aa, ac float64
	}{
		{"fields", messages.Answer{Answer: "…", Claims: []messages.Claim{
			claim("Tarnbex", "drug_name", "Tarnbex", "active_molecule", "lumen citrate", "adverse_effects", "dizziness"),
			claim("Lumenol", "drug_name", "Lumenol", "active_molecule", "", "adverse_effects", "nausea"),
		}}, 4. / 5, 4. / 6},
		{"a claim without fields beside one with", messages.Answer{Claims: []messages.Claim{claim("", "drug_name", "Lumenol"), claim("Tarnbex, which causes nausea")}}, 1, 3. / 6},
		{"claims without fields", messages.Answer{Claims: []messages.Claim{claim("Lumenol: nausea"), claim("Placebex")}}, 1. / 2, 3. / 6},
		{"plain text", messages.Answer{Answer: "Tarnbex and Lumenol cause nausea."}, 1, 4. / 6},
		{"nothing", messages.Answer{}, 0, 0},
	} {
		var r report.Record
		scoreAnswer(&r, &q, &c.answer)
		if math.Abs(*r.AA-c.aa) > 1e-9 || math.Abs(*r.AC-c.ac) > 1e-9 {
			t.Errorf("%s: AA %v, AC %v, want %v and %v", c.what, *r.AA, *r.AC, c.aa, c.ac)
		}
		if len(r.Wanted) != 5 {
			t.Errorf("wanted are %q", r.Wanted)
		}
	}
	passages := []messages.Passage{{ID: "a", Text: "Lumenol causes nausea."}, {ID: "b", Text: "Tarnbex causes nausea."}}
	var r report.Record
	scoreTrail(&r, &q, trail{retrieved: passages})
	if r.IRR == nil || math.Abs(*r.IRR-3./5) > 1e-9 || r.Succ != 1 {
		t.Errorf("IRR is %v", r.IRR)
	}
}

// What the router decided is known, whatever became of the question later.
func TestEvalRouted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    messages.Answer
		t    trail
		want messages.Class
	}{
		{messages.Answer{Class: messages.Compound}, trail{}, messages.Compound},
		{messages.Answer{Class: messages.Single}, trail{direct: true}, messages.Straightforward},
		{messages.Answer{Class: messages.Complex, Rerouted: messages.Escalated}, trail{}, messages.Single},
		{messages.Answer{Class: messages.Single, Rerouted: messages.Reduced}, trail{planned: messages.Compound}, messages.Compound},
		{messages.Answer{}, trail{}, unrouted},
	} {
		if got := (scorer{routes: true}).routed(&c.a, c.t); got != c.want {
			t.Errorf("%+v was routed as %q, want %q", c.a, got, c.want)
		}
		if got := (scorer{}).routed(&c.a, c.t); got != "" {
			t.Errorf("without a router: %q", got)
		}
	}
}

// TestScoreOfRefusal holds that of a question without an answer only the refusal
// is right.
func TestScoreOfRefusal(t *testing.T) {
	t.Parallel()
	q := dataset.Question{ID: "1", Question: "Who?", Unanswerable: true}
	for status, want := range map[messages.Status]float64{messages.Unanswered: 1, messages.Failed: 0, messages.Expired: 0, messages.Answered: 0} {
		var r report.Record
		scoreAnswer(&r, &q, &messages.Answer{Status: status, Answer: "x"})
		if !r.Unanswerable || r.EM != want || r.F1 != want || r.Acc != want || len(r.Wanted) > 0 {
			t.Errorf("%s: %+v", status, r)
		}
	}
}
