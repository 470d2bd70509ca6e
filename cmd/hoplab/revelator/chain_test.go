package revelator

import (
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/messages"
)

func TestVerbalise(t *testing.T) {
	t.Parallel()
	for relation, want := range map[string]string{
		"place of birth":                      "What is the place of birth of Tarnby?",
		"capital":                             "What is the capital of Tarnby?",
		"owned by":                            "What is Tarnby owned by?",
		"named after":                         "What is Tarnby named after?",
		"located in the county":               "Which county is Tarnby located in?",
		"member of sports team":               "Which sports team is Tarnby member of?",
		"shares border with":                  "What does Tarnby share border with?",
		"follows":                             "What does Tarnby follow?",
		"contains small village":              "Which small village does Tarnby contain?",
		"located in or next to body of water": "Which body of water is Tarnby located in or next to?",
	} {
		if got := verbalise("Tarnby", relation); got != want {
			t.Errorf("%s: %q, want %q", relation, got, want)
		}
	}
}

func TestChain(t *testing.T) {
	t.Parallel()
	step := func(q, a string) dataset.Step { return dataset.Step{Question: q, Answer: a} }
	for name, c := range map[string]struct {
		steps []dataset.Step
		want  []string // none: the chain cannot be asked
	}{
		"bound": {[]dataset.Step{step("Who drew it?", "Orla"), step("#1 >> father", "Ole"), step("Did #2 know #1?", "yes")},
			[]string{"Who drew it?", "What is the father of Orla?", "Did Ole know Orla?"}},
		"no answer": {[]dataset.Step{step("Who drew it?", ""), step("Where was #1 born?", "Tarnby")}, nil},
		"forward":   {[]dataset.Step{step("Who drew it?", "Orla"), step("Where was #2 born?", "Tarnby")}, nil},
		"a number of its own": {[]dataset.Step{step("Who had a #1 hit?", "Orla"), step("Where was #1 born?", "Tarnby")},
			[]string{"Who had a #1 hit?", "Where was Orla born?"}},
		"ten and one": {[]dataset.Step{step("Who?", "A"), step("Is #1 in #10?", "B")}, nil},
		"empty":       {nil, nil},
	} {
		hops, ok := chain(&dataset.Question{Decomposition: c.steps})
		if ok != (c.want != nil) || ok && len(hops) != len(c.want) {
			t.Errorf("%s: %v %v", name, hops, ok)
			continue
		}
		for i := range c.want {
			if hops[i].question != c.want[i] {
				t.Errorf("%s: step %d is %q, want %q", name, i+1, hops[i].question, c.want[i])
			}
		}
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	refers := dataset.Question{Decomposition: []dataset.Step{{Question: "Who?"}, {Question: "When was #1 born?"}}}
	lists := dataset.Question{Decomposition: []dataset.Step{{Question: "Who?"}, {Question: "When?"}}, Entities: []dataset.Entity{{"a"}, {"b"}}}
	own := dataset.Question{Class: messages.Single}
	for _, c := range []struct {
		set  messages.Class
		q    dataset.Question
		want messages.Class
	}{
		{"", refers, messages.Complex}, {"", lists, messages.Compound}, {"", dataset.Question{}, ""},
		{messages.Complex, dataset.Question{}, messages.Complex}, {messages.Complex, own, messages.Single},
	} {
		if got := (&Set{Class: c.set}).class(&c.q); got != c.want {
			t.Errorf("%+v in a set of %q: %q, want %q", c.q, c.set, got, c.want)
		}
	}
}

// Whatever a step says, it is bound and asked without a panic, and no
// reference to a known answer is left.
func FuzzChain(f *testing.F) {
	f.Add("Who drew #1?", "Orla", "#1 >> father")
	f.Add("#", ">>", "# >> of")
	f.Add("#99999999999999999999", "#1", "a >> contains")
	f.Fuzz(func(t *testing.T, first, answer, second string) {
		q := dataset.Question{Decomposition: []dataset.Step{{Question: first, Answer: answer}, {Question: second, Answer: "x"}}}
		hops, ok := chain(&q)
		if ok && len(hops) != 2 {
			t.Fatalf("%d hops", len(hops))
		}
		for _, h := range hops {
			if !usable(h.question) {
				t.Fatalf("%q cannot be asked", h.question)
			}
		}
	})
}
