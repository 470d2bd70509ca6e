package revelator

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/messages"
)

func TestCompounds(t *testing.T) {
	t.Parallel()
	sets := invented(300)[1:2]
	made := Compounds(sets, CompoundOptions{Seed: 5})
	if len(made.Questions) != 300 || made.Entities != 300 || len(made.Documents) != 300 {
		t.Fatalf("%d questions about %d things, %d documents", len(made.Questions), made.Entities, len(made.Documents))
	}
	source := map[string]*dataset.Question{}
	for i := range sets[0].Questions {
		source[sets[0].Questions[i].Question] = &sets[0].Questions[i]
	}
	sizes, used, ids := map[int]int{}, map[string]bool{}, map[string]bool{}
	for _, q := range made.Questions {
		sizes[len(q.Decomposition)]++
		if ids[q.ID] || q.Class != messages.Compound || len(q.Entities) != len(q.Decomposition) || len(q.Supporting) != 1 || len(q.Answers) != 1 {
			t.Fatalf("%+v", q)
		}
		ids[q.ID] = true
		for i, step := range q.Decomposition {
			from := source[step.Question]
			if from == nil || used[step.Question] {
				t.Fatalf("part %q is invented or used twice", step.Question)
			}
			used[step.Question] = true
			if !reflect.DeepEqual([]string(q.Entities[i]), from.Answers) || step.Answer != from.Answers[0] || step.Support != from.Supporting[0] {
				t.Errorf("gold of %q: %+v %v", step.Question, step, q.Entities[i])
			}
			if !strings.Contains(q.Answers[0], step.Answer) {
				t.Errorf("%q lacks %q", q.Answers[0], step.Answer)
			}
		}
		if n := strings.Count(q.Question, "Venn"); n != len(q.Decomposition) && !strings.Contains(q.Question, " she ") {
			t.Errorf("neither named nor meant in every part: %q", q.Question)
		}
	}
	if len(made.Styles) != len(styles) || made.Pronouns == 0 || made.Pronouns == len(made.Questions) || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("styles %v, %d with pronouns, parts %v", made.Styles, made.Pronouns, sizes)
	}

	slices.Reverse(sets[0].Questions)
	if again := Compounds(sets, CompoundOptions{Seed: 5}); !reflect.DeepEqual(again.Questions, made.Questions) {
		t.Error("another order of the same questions gives another benchmark")
	}
	if few := Compounds(sets, CompoundOptions{Seed: 5, Limit: 7}); len(few.Questions) != 7 || !reflect.DeepEqual(few.Questions, made.Questions[:7]) {
		t.Errorf("%d questions, or others than the first", len(few.Questions))
	}
}

func TestCompoundsPassOver(t *testing.T) {
	t.Parallel()
	doc := []dataset.Document{{ID: "d", Title: "Lumen Bridge", Text: "It is long."}}
	good := func(id, text, answer string) dataset.Question {
		return dataset.Question{ID: id, Question: text, Answers: []string{answer}, Supporting: []string{"d"}}
	}
	base := good("1", "Who designed the Lumen Bridge?", "Orla Venn")
	for name, other := range map[string]dataset.Question{
		"the same":        good("2", "who designed Lumen Bridge", "O. Venn"),
		"the same answer": good("2", "Who opened the Lumen Bridge?", "the Orla Venn"),
		"not clear alone": good("2", "How long is it?", "310 metres"),
		"no name":         good("2", "How long was this?", "310 metres"),
		"no answer":       {ID: "2", Question: "How long is the Lumen Bridge?", Supporting: []string{"d"}},
		"no passage":      {ID: "2", Question: "How long is the Lumen Bridge?", Answers: []string{"310 metres"}},
		"unknown passage": {ID: "2", Question: "How long is the Lumen Bridge?", Answers: []string{"310 metres"}, Supporting: []string{"e"}},
		"another class": {ID: "2", Question: "How long is the Lumen Bridge?", Answers: []string{"310 metres"}, Supporting: []string{"d"},
			Class: messages.Complex},
		"several questions": good("2", "How long is the Lumen Bridge? And how high?", "310 metres"),
	} {
		made := Compounds([]Set{{Questions: []dataset.Question{base, other}, Documents: doc}}, CompoundOptions{})
		if len(made.Questions) != 0 {
			t.Errorf("%s: %q", name, made.Questions[0].Question)
		}
	}
	made := Compounds([]Set{{Questions: []dataset.Question{base, good("2", "How long is the Lumen Bridge?", "310 metres")}, Documents: doc}}, CompoundOptions{})
	if len(made.Questions) != 1 {
		t.Errorf("%d questions of two that fit", len(made.Questions))
	}
}

// Different documents under one ID stay apart, equal ones become one.
func TestCompoundCorpus(t *testing.T) {
	t.Parallel()
	a := Set{Name: "a", Documents: []dataset.Document{{ID: "1", Text: "one"}, {ID: "2", Text: "two"}}}
	b := Set{Name: "b", Documents: []dataset.Document{{ID: "1", Text: "one"}, {ID: "2", Text: "other"}}}
	var c CompoundSet
	ids := c.corpus([]Set{a, b})
	if len(c.Documents) != 3 || ids[docRef{1, "1"}] != "1" || ids[docRef{1, "2"}] != "b:2" {
		t.Errorf("%v %v", c.Documents, ids)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	bodies := []string{"Who designed the Lumen Bridge", "How long is it", "When was it opened"}
	want := map[string]string{
		"sentences":  "Who designed the Lumen Bridge? How long is it? When was it opened?",
		"also":       "Who designed the Lumen Bridge? How long is it? Also, when was it opened?",
		"and":        "Who designed the Lumen Bridge, how long is it, and when was it opened?",
		"semicolons": "Who designed the Lumen Bridge; how long is it; and when was it opened?",
		"lead":       "I would like to know three things: who designed the Lumen Bridge, how long is it, and when was it opened?",
		"numbered":   "(1) Who designed the Lumen Bridge? (2) How long is it? (3) When was it opened?",
	}
	for _, s := range styles {
		if got := s.join(bodies); got != want[s.name] {
			t.Errorf("%s: %q", s.name, got)
		}
	}
	for n := range uint64(20) { // a name stays written large, in a sentence of its own
		if s := styleFor(n, []string{"Who designed it", "Orla Venn was born when"}); s.inside {
			t.Errorf("%s with a part that begins with a name", s.name)
		}
	}
	for body, small := range map[string]string{"Who is it": "who is it", "Orla is who": "Orla is who", "The Hague is where": "The Hague is where",
		"In which town": "in which town", "": "", "the": "the", "À quoi": "à quoi", "Is it": "is it"} {
		if got := lower(body); got != small {
			t.Errorf("%q becomes %q, want %q", body, got, small)
		}
	}
}

func TestPronouns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p                pronoun
		body, name, want string // want is empty where the name stays
	}{
		{she, "Where did Orla Venn live", "Orla Venn", "Where did she live"},
		{she, "What was Orla Venn's first house", "Orla Venn", "What was her first house"},
		{he, "Who was married to Ole Venn", "Ole Venn", "Who was married to him"},
		{it, "How long did the Lumen Bridge stand", "Lumen Bridge", "How long did it stand"},
		{it, "Who paid for the Lumen Bridge", "Lumen Bridge", "Who paid for it"},
		{it, "What is the length of the Lumen Bridge", "Lumen Bridge", ""},      // "of it"
		{it, "When did Lumen Bridge Street open", "Lumen Bridge", ""},           // a longer name
		{it, "When did Old Lumen Bridge open", "Lumen Bridge", ""},              // the same
		{it, "Lumen Bridge was opened when", "Lumen Bridge", ""},                // begins with it
		{it, "Was Lumen Bridge or the Lumen Bridge longer", "Lumen Bridge", ""}, // twice
		{it, "Who paid for the Lumen Bridge and its guard", "Lumen Bridge", ""},
		{pronoun{}, "Where did Orla Venn live", "Orla Venn", ""},
		{she, "Where did she live", "", ""},
	} {
		got, ok := c.p.put(c.body, c.name)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q: %q %v, want %q", c.body, got, ok, c.want)
		}
	}
	for _, c := range []struct {
		entity, text string
		want         pronoun
	}{
		{"Orla Venn", "Venn drew it. She left. Her plans are lost, and she came back.", she},
		{"Ole Venn (engineer)", "Ole Venn drew. His plans are lost. Venn said that he knew.", he},
		{"Lumen Bridge", "It is long. Its towers are high.", it},
		{"Lumen Bridge", "He drew the plans. His bridge is long. He left.", pronoun{}}, // of its designer
		{"Ole Venn", "Venn drew the plans. She paid. He left, and he came back.", pronoun{}},
		{"Harlanders", "It was the year of its flood.", pronoun{}},
		{"Lumen Bridge", "Plans were drawn.", pronoun{}},
		{"", "It is long. Its towers are high.", pronoun{}},
	} {
		if got := pronounOf([]simple{{entity: c.entity, about: []string{c.text}}}); got != c.want {
			t.Errorf("%s: %q: %v, want %v", c.entity, c.text, got, c.want)
		}
	}
	if !distracts("Who was Orla Venn's father", "Orla Venn") || !distracts("Did Orla Venn know Ole", "Orla Venn") || distracts("Did Orla Venn paint", "Orla Venn") {
		t.Error("what distracts")
	}
}

// No text makes the joiner panic or lose a question.
func FuzzJoin(f *testing.F) {
	f.Add("Who was Orla Venn?", "Where did Orla Venn live?", "Orla Venn (engineer)", "She worked. Her house stands.", uint64(1))
	f.Add("?", "", "", "", uint64(0))
	f.Add("İ was?", "did ſ go", "ſ", "it its", uint64(3))
	f.Fuzz(func(t *testing.T, a, b, entity, about string, seed uint64) {
		parts := []simple{{text: a, entity: entity, about: []string{about}}, {text: b, entity: entity, about: []string{about}}}
		text, name := join(seed, parts)
		if text == "" || name == "" || utf8.ValidString(a) && utf8.ValidString(b) && !utf8.ValidString(text) {
			t.Fatalf("%q %q", text, name)
		}
		_ = parts[0].clear()
	})
}
