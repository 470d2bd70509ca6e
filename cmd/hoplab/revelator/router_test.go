package revelator

import (
	"fmt"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/sim"
	"hopstream/messages"
)

// classes are sets of so many questions each, and complex ones that each have two
// sub-questions of their own.
func classes(straightforward, single, compound, complexes int) []Set {
	many := func(class messages.Class, n int) Set {
		s := Set{Name: string(class), Class: class}
		for i := range n {
			q := dataset.Question{ID: fmt.Sprint(i), Question: fmt.Sprintf("%s question %d?", class, i), Answers: []string{"x"}}
			if class == messages.Complex {
				q.Decomposition = []dataset.Step{{Question: fmt.Sprintf("Sub-question %da?", i), Answer: "y"}, {Question: fmt.Sprintf("Sub-question %db?", i), Answer: "x"}}
			}
			s.Questions = append(s.Questions, q)
		}
		return s
	}
	return []Set{many(messages.Straightforward, straightforward), many(messages.Single, single), many(messages.Compound, compound), many(messages.Complex, complexes)}
}

// The router's set has the paper's proportions, and single-step questions of both
// sources; it is measured on equal numbers of whole questions.
func TestRouterProportions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sets []Set
		test float64 // share
		at   Split
		want map[messages.Class]int
		subs int
	}{
		{classes(1000, 900, 900, 500), 0, Train, map[messages.Class]int{"straightforward": 123, "single": 500, "compound": 500, "complex": 500}, 250},
		{classes(49, 900, 900, 900), 0, Train, map[messages.Class]int{"straightforward": 49, "single": 201, "compound": 201, "complex": 201}, 100},
		{classes(900, 60, 400, 400), 0, Train, map[messages.Class]int{"straightforward": 98, "single": 400, "compound": 400, "complex": 400}, 340},
		{classes(900, 900, 500, 20), 0, Train, map[messages.Class]int{"straightforward": 5, "single": 20, "compound": 20, "complex": 20}, 10},
		{classes(2000, 3000, 2500, 2000), 0.999, Test, map[messages.Class]int{"straightforward": 1500, "single": 1500, "compound": 1500, "complex": 1500}, 0},
		{classes(400, 900, 700, 500), 0.999, Test, nil, 0},
	} {
		m := &material{sets: c.sets, splits: newSplits(c.sets, 0, Shares{Test: c.test}), routed: map[Split]RouterMade{}}
		m.collect()
		made := m.routers(c.at)
		drawn := m.routed[c.at]
		got, subs := map[messages.Class]int{}, 0
		for _, e := range made {
			got[messages.Class(e.Label)]++
			if _, in, _ := sim.Read(e.Prompt); strings.HasPrefix(in.Question, "Sub-question") {
				subs++
				if e.Label != "single" {
					t.Errorf("%q is %s", in.Question, e.Label)
				}
			}
		}
		if c.want == nil { // equal numbers, as many as the scarcest has
			n := drawn.Have[messages.Straightforward]
			c.want = map[messages.Class]int{"straightforward": n, "single": n, "compound": n, "complex": n}
		}
		for class, n := range c.want {
			if got[class] != n || drawn.Taken[class] != n {
				t.Errorf("%s: %v, %+v, want %v", c.at, got, drawn, c.want)
				break
			}
		}
		if subs != c.subs || drawn.SubQuestions != subs || drawn.Questions+subs != got[messages.Single] {
			t.Errorf("%s: %d sub-questions, %+v, want %d", c.at, subs, drawn, c.subs)
		}
	}
}
