package oracle

import (
	"slices"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/messages"
)

// film is a question of 2WikiMultihopQA's kind: steps write answers out.
func film() dataset.Question {
	return dataset.Question{
		ID: "film", Question: "Which film has the director who was born earlier, Low Tide or The Quay?", Answers: []string{"Low Tide"},
		Decomposition: []dataset.Step{
			{Question: "What is the director of Low Tide?", Answer: "Ada Orn", Support: "low"},
			{Question: "What is the director of The Quay?", Answer: "Ada Orn Bell", Support: "quay"},
			{Question: "What is the date of birth of Ada Orn?", Answer: "3 May 1901", Support: "orn"},
			{Question: "What is the date of birth of Ada Orn Bell?", Answer: "9 June 1911", Support: "bell"},
		},
	}
}

// town is one of MuSiQue's: steps name answers by number, or are relations.
func town() dataset.Question {
	return dataset.Question{
		ID: "town", Question: "How many people live where the author of Low Tide died?", Answers: []string{"4,000", "four thousand"},
		Decomposition: []dataset.Step{
			{Question: "Low Tide >> author", Answer: "Ada Orn Jr.", Support: "low"},
			{Question: "#1 >> place of death", Answer: "Mora", Support: "orn"},
			{Question: "How many of the $5 tickets' buyers live in #2 ?", Answer: "4,000", Support: "mora"},
		},
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	hit := dataset.Question{Question: "Which #1 hit did the singer of Mora write?", Answers: []string{"Low Tide"}, Decomposition: []dataset.Step{
		{Question: "Who sang Mora?", Answer: "Ada Orn"}, {Question: "Which #1 hit did #2 write?", Answer: "Low Tide"}}}
	said := dataset.Question{Question: "Was Ada Orn born before Bo Bell?", Answers: []string{"yes"}, Decomposition: []dataset.Step{
		{Question: "Who was the first?", Answer: "Ada Orn"}, {Question: "When was Ada Orn born?", Answer: "1901"}, {Question: "Was 1901 before 1911?", Answer: "yes"}}}
	for name, c := range map[string]struct {
		question       dataset.Question
		parts, queries []string
		class          messages.Class
		depth          int
		lead           []bool
	}{
		"names": {film(),
			[]string{"What is the director of Low Tide?", "What is the director of The Quay?", "What is the date of birth of $1?", "What is the date of birth of $2?"},
			[]string{"What is the director of Low Tide?", "What is the director of The Quay?", "What is the date of birth of Ada Orn?", "What is the date of birth of Ada Orn Bell?"},
			messages.Complex, 2, []bool{true, true, true, true}},
		"numbers and relations": {town(),
			[]string{"What is the author of Low Tide?", "What is the place of death of $1?", "How many of the $ 5 tickets' buyers live in $2 ?"},
			[]string{"What is the author of Low Tide?", "What is the place of death of Ada Orn Jr.?", "How many of the $ 5 tickets' buyers live in Mora ?"},
			messages.Complex, 3, []bool{true, true, true}},
		"a number that the question speaks of, and one of no earlier step": {hit,
			[]string{"Who sang Mora?", "Which #1 hit did #2 write?"}, []string{"Who sang Mora?", "Which #1 hit did #2 write?"},
			messages.Complex, 1, []bool{false, true}},
		"a name that the question says": {said,
			[]string{"Who was the first?", "When was Ada Orn born?", "Was $2 before 1911?"},
			[]string{"Who was the first?", "When was Ada Orn born?", "Was 1901 before 1911?"},
			messages.Complex, 2, []bool{false, true, true}},
		"no decomposition": {dataset.Question{Question: "Who wrote Mora?", Answers: []string{"Ada Orn"}},
			[]string{"Who wrote Mora?"}, []string{"Who wrote Mora?"}, messages.Single, 1, []bool{true}},
		"a decomposition without answers": {dataset.Question{Question: "Is it?", Answers: []string{"no"}, Decomposition: []dataset.Step{{Question: "What is it?"}, {Question: "Is #1?"}}},
			[]string{"Is it?"}, []string{"Is it?"}, messages.Single, 1, []bool{true}},
		"entities": {dataset.Question{Question: "Who and where?", Entities: []dataset.Entity{{"Orn"}, {"Mora"}}},
			[]string{"Who and where?"}, []string{"Who and where?"}, messages.Compound, 1, []bool{true}},
		"its own class": {dataset.Question{Question: "2+2?", Class: messages.Straightforward, Answers: []string{"4"}},
			[]string{"2+2?"}, []string{"2+2?"}, messages.Straightforward, 1, []bool{true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := read(&c.question)
			if got := g.parts(); !slices.Equal(got, c.parts) {
				t.Errorf("parts %q, want %q", got, c.parts)
			}
			if got := g.queries(); !slices.Equal(got, c.queries) {
				t.Errorf("queries %q, want %q", got, c.queries)
			}
			if g.class() != c.class || g.depth() != c.depth || !slices.Equal(g.lead(), c.lead) {
				t.Errorf("%s of depth %d, led to by %v; want %s, %d, %v", g.class(), g.depth(), g.lead(), c.class, c.depth, c.lead)
			}
		})
	}
}

// FuzzRead holds that a step needs earlier ones only, and that whatever stands
// in the data, there is something to ask.
func FuzzRead(f *testing.F) {
	f.Add("Who?", "A >> b", "x", "#1 >> c", "y")
	f.Add("Who #1?", "#1 $1", "x", "x of x y", "yes")
	f.Add("é", "# 1 é", "é", "éé é", "é é")
	f.Fuzz(func(t *testing.T, question, q1, a1, q2, a2 string) {
		g := read(&dataset.Question{Question: question, Answers: []string{a2}, Decomposition: []dataset.Step{{Question: q1, Answer: a1}, {Question: q2, Answer: a2}}})
		if len(g.steps) == 0 || g.depth() < 1 || g.depth() > len(g.steps) {
			t.Fatalf("%d steps of depth %d", len(g.steps), g.depth())
		}
		for i, s := range g.steps {
			for _, n := range s.needs {
				if n >= i {
					t.Errorf("step %d needs %d", i, n)
				}
			}
		}
		if p := g.progress(nil); len(g.askable(p)) == 0 {
			t.Error("nothing can be asked")
		}
		g.lead()
	})
}
