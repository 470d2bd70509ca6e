package train

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestEntities holds what a question asks for on the way to its answer, by the steps
// that its set gives: facts in a knowledge base's notation, steps that name answers,
// and steps that only say more of the same.
func TestEntities(t *testing.T) {
	t.Parallel()
	type steps = []struct{ Question, Answer string }
	for name, c := range map[string]struct {
		r    record
		want []string // the stems of each entity, and what it needs
	}{
		"a chain of facts": {record{Type: "2hop", Decomposition: steps{{"Grey Harbour >> director", "Jens Holm"}, {"#1 >> place of birth", "Oslo"}}},
			[]string{"direct grey harbour", "born place 0"}},
		"answers are named": {record{Type: "compositional", Decomposition: steps{{"What is the director of Grey Harbour?", "Jens Holm"}, {"What is the date of birth of Jens Holm?", "1901"}}},
			[]string{"direct grey harbour", "born date 0"}},
		"more of the same": {record{Operators: []string{"select", "filter", "project"}, Decomposition: steps{{"films", ""}, {"#1 by Jens Holm", ""}, {"when was #2 shown", ""}}},
			[]string{"film holm jen", "shown 0"}},
		"two that meet": {record{Decomposition: steps{{"Grey Harbour >> director", ""}, {"The Long Mile >> writer", ""}, {"where did #1 meet #2", ""}}},
			[]string{"direct grey harbour", "long mile write", "meet 0 1"}},
		"a comparison":         {record{Type: "comparison", Decomposition: steps{{"a", ""}, {"b", ""}}}, nil},
		"a computation":        {record{Operators: []string{"select", "arithmetic"}, Decomposition: steps{{"goals of Jens Holm", ""}, {"sum of #1", ""}}}, nil},
		"steps that lead away": {record{Decomposition: steps{{"Grey Harbour >> director", ""}, {"The Long Mile >> writer", ""}, {"where was #1 born", ""}}}, nil},
		"no steps":             {record{}, nil},
	} {
		var got []string
		for _, e := range c.r.entities() {
			s := strings.Join(slices.Sorted(maps.Keys(e.Words)), " ")
			for _, n := range e.Needs {
				s += " " + string(rune('0'+n))
			}
			got = append(got, s)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
