package oracle_test

import (
	"context"
	"slices"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/oracle"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/roles"
)

var _ stages.Engine = (*oracle.Engine)(nil)

const question = "How old is the author of Low Tide, and where was her mother born?"

// The gold: 1 and 2 are independent, 3 needs 2; 4 leads nowhere.
func engine() *oracle.Engine {
	return oracle.New([]dataset.Question{
		{ID: "a", Question: question, Answers: []string{"Mora", "Mora upon Sea"}, Decomposition: []dataset.Step{
			{Question: "How old is the author?", Answer: "41", Support: "low"},
			{Question: "Who is her mother?", Answer: "Ida Orn", Support: "orn"},
			{Question: "Where was #2 born?", Answer: "Mora", Support: "ida"},
		}},
		{ID: "b", Question: "Is Mora a town?", Answers: []string{"yes"}, Supporting: []string{"mora"}},
		{ID: "c", Question: "Which towns are there?", Answers: []string{"Mora", "Quay"}, List: true},
		{ID: "d", Question: "What is 2 and 2?", Answers: []string{"4"}, Class: messages.Straightforward},
		{ID: "e", Question: "Who is her mother?", Answers: []string{"Una Bell"}}, // a step of another's, with another answer
	}, builtin.New(builtin.Options{}))
}

func windows(texts ...string) []messages.Window {
	out := make([]messages.Window, len(texts)/2)
	for i := range out {
		out[i] = messages.Window{Passage: texts[2*i], Title: "T " + texts[2*i], Text: texts[2*i+1]}
	}
	return out
}

func pairs(texts ...string) []messages.Pair {
	out := make([]messages.Pair, len(texts)/2)
	for i := range out {
		out[i] = messages.Pair{Question: texts[2*i], Answer: texts[2*i+1]}
	}
	return out
}

// TestAnswersAreFoundInWindows holds that nothing is answered that does not
// stand there.
func TestAnswersAreFoundInWindows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query   string
		windows []messages.Window
		want    string
		sources []string
	}{
		"there":                  {"Who is her mother?", windows("x", "Nobody.", "y", "Her mother, Ida Orn, sang."), "Ida Orn", []string{"y"}},
		"asked in other letters": {"who is her MOTHER", windows("y", "the ida orn"), "Ida Orn", []string{"y"}},
		"the other question's":   {"Who is her mother?", windows("y", "Una Bell and Ida."), "Una Bell", []string{"y"}},
		"not as whole words":     {"How old is the author?", windows("x", "In 1941 she was 410."), "", nil},
		"in a title only":        {"Where was Ida Orn born?", []messages.Window{{Passage: "x", Title: "Mora", Text: "A town."}}, "", nil},
		"no windows":             {"Who is her mother?", nil, "", nil},
		"by another name":        {"Where was Ida Orn born?", windows("x", "She is of Mora upon Sea."), "Mora", []string{"x"}},
		"not the gold's query":   {question, windows("x", "Mora"), "", nil},
		"yes, from its passage":  {"Is Mora a town?", windows("quay", "yes", "mora#2", "A place."), "yes", []string{"mora#2"}},
		"yes, from another":      {"Is Mora a town?", windows("quay", "yes"), "", nil},
		"a list":                 {"Which towns are there?", windows("x", "Quay and Quay.", "y", "Mora."), "Mora; Quay", []string{"y", "x"}},
		"half of a list":         {"Which towns are there?", windows("x", "Quay."), "Quay", []string{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, ask := range []func(context.Context, string, []messages.Window) (messages.Finding, error){engine().Answer, engine().Summarise} {
				f, err := ask(t.Context(), c.query, c.windows)
				var sources []string
				for _, s := range f.Sources {
					sources = append(sources, s.ID)
				}
				if err != nil || f.Text != c.want || !slices.Equal(sources, c.sources) {
					t.Errorf("%q of %v (%v), want %q of %v", f.Text, sources, err, c.want, c.sources)
				}
			}
		})
	}
}

// TestLostAnswersStayLost follows a question whose middle step finds nothing:
// the last one is asked all the same, and the question is not answered.
func TestLostAnswersStayLost(t *testing.T) {
	t.Parallel()
	e, ctx := engine(), t.Context()
	all := []string{"How old is the author?", "Who is her mother?", "Where was Ida Orn born?"}
	lost := pairs(all[0], "41", all[1], "")
	for name, c := range map[string]struct {
		pairs      []messages.Pair
		refine     string
		supplement []string
		enough     bool
		answer     string
	}{
		"at first":      {nil, all[0], all[:2], false, ""},
		"half way":      {pairs(all[1], "Ida Orn"), all[0], []string{all[0], all[2]}, false, ""},
		"lost half way": {lost, all[2], all[2:], false, ""},
		"to the end":    {append(lost, pairs(all[2], "Mora")...), "", nil, true, ""},
		"no loss":       {pairs(all[1], "Ida Orn", all[2], "Mora", all[0], "41"), "", nil, true, "Mora"},
		// The age is asked for, but does not lead to the answer.
		"a loss beside": {pairs(all[1], "Ida Orn", all[2], "Mora", all[0], ""), "", nil, true, "Mora"},
	} {
		next, err := e.Refine(ctx, question, c.pairs)
		if err != nil || next != c.refine {
			t.Errorf("%s: refined to %q (%v), want %q", name, next, err, c.refine)
		}
		if got, err := e.Supplement(ctx, question, c.pairs); err != nil || !slices.Equal(got, c.supplement) {
			t.Errorf("%s: supplemented by %q (%v), want %q", name, got, err, c.supplement)
		}
		if got, err := e.Enough(ctx, question, c.pairs); err != nil || got != c.enough {
			t.Errorf("%s: enough is %v (%v), want %v", name, got, err, c.enough)
		}
		if got, err := e.Synthesize(ctx, question, messages.Complex, c.pairs); err != nil || got.Text != c.answer {
			t.Errorf("%s: answered %q (%v), want %q", name, got.Text, err, c.answer)
		}
	}
	if plan, err := e.Revise(ctx, question, all, nil, ""); err != nil || !slices.Equal(plan, all) {
		t.Errorf("the plan became %q (%v)", plan, err)
	}
	if plan, err := e.Revise(ctx, question, all, lost, "stalled"); err != nil || plan != nil {
		t.Errorf("there is a better plan: %q (%v)", plan, err)
	}
	if got, err := e.Synthesize(ctx, question, messages.Compound, lost); err != nil || got.Text != "41" {
		t.Errorf("what a compound question found is %q (%v)", got.Text, err)
	}
}

func TestClassesAndDirectAnswers(t *testing.T) {
	t.Parallel()
	e, ctx := engine(), t.Context()
	for q, want := range map[string]messages.Class{question: messages.Complex, "Is Mora a town?": messages.Single, "What is 2 and 2?": messages.Straightforward} {
		if got, err := e.Classify(ctx, q); err != nil || got != want {
			t.Errorf("%q is %s (%v), want %s", q, got, err, want)
		}
		direct := ""
		if want == messages.Straightforward {
			direct = "4"
		}
		if f, err := e.Direct(ctx, q); err != nil || f.Text != direct {
			t.Errorf("%q is answered %q directly (%v)", q, f.Text, err)
		}
	}
	f, err := e.Fuse(ctx, "", []messages.Finding{{}, {Text: "a"}, {Text: "a; b", Claims: make([]messages.Claim, 2)}, {Text: "c"}}, nil)
	if err != nil || f.Text != "a; b" {
		t.Errorf("fused to %q (%v)", f.Text, err)
	}
	if e.Depth(question) != 2 || e.Depth("Who?") != 0 || e.Query(question, 2) != "Where was Ida Orn born?" || e.Query(question, 3) != "" {
		t.Errorf("depth %d, last query %q", e.Depth(question), e.Query(question, 2))
	}
}

// TestUnknownQuestionsGoToTheEngineBelow asks what the gold does not hold.
func TestUnknownQuestionsGoToTheEngineBelow(t *testing.T) {
	t.Parallel()
	e, ctx, q := engine(), t.Context(), "What is 17 times 23?"
	if c, err := e.Classify(ctx, q); err != nil || c != messages.Straightforward {
		t.Errorf("classified as %s (%v)", c, err)
	}
	if f, err := e.Direct(ctx, q); err != nil || f.Text != "391" {
		t.Errorf("answered %q (%v)", f.Text, err)
	}
	below := builtin.New(builtin.Options{})
	q = "Where was the mother of Ada Orn born?"
	want, _ := below.Plan(ctx, q)
	if got, err := e.Plan(ctx, q); err != nil || !slices.Equal(got, want) {
		t.Errorf("planned %q (%v), want %q", got, err, want)
	}
	next, _ := below.Refine(ctx, q, nil)
	if got, err := e.Refine(ctx, q, nil); err != nil || got != next {
		t.Errorf("refined to %q (%v), want %q", got, err, next)
	}
	if got, err := e.Enough(ctx, q, nil); err != nil || got {
		t.Errorf("enough is %v (%v)", got, err)
	}
	relevant, err := e.Relevant(ctx, q, []messages.Passage{{ID: "a", Text: "The mother of Ada Orn was born in Mora."}})
	if err != nil || !slices.Equal(relevant, []bool{true}) {
		t.Errorf("%v (%v)", relevant, err)
	}
}

// TestRelevance judges by the gold documents of a question and of its steps, and
// leaves what is neither to the engine below.
func TestRelevance(t *testing.T) {
	t.Parallel()
	e := oracle.Relevance([]dataset.Question{{
		ID: "1", Question: "Where was the inventor of Zorblat born?", Answers: []string{"Oslo"}, Supporting: []string{"zorblat", "mina"},
		Decomposition: []dataset.Step{{Question: "Who invented Zorblat?", Answer: "Mina Quist", Support: "zorblat"}, {Question: "Where was #1 born?", Answer: "Oslo", Support: "mina"}},
	}}, &roles.Set{})
	passages := []messages.Passage{{ID: "mina#2"}, {ID: "other"}, {ID: "zorblat"}}
	for query, want := range map[string][]bool{
		"Where was the inventor of Zorblat born?": {true, false, true},
		"where was Mina Quist born":               {true, false, false},
		"Something else?":                         {true, true, true},
	} {
		if got, err := e.Relevant(t.Context(), query, passages); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", query, got, err)
		}
	}
}
