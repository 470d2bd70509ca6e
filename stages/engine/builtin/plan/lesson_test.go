package plan

import (
	"slices"
	"strings"
	"testing"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
)

func entity(text string, needs ...int) Entity {
	e := Entity{Words: map[string]bool{}, Needs: needs}
	for _, t := range lang.Tokens(text) {
		if !t.Stop {
			e.Words[t.Stem] = true
		}
	}
	return e
}

// taught are questions and what they ask for on the way to their answers.
func taught() (lessons []linear.Group) {
	for _, name := range []string{"Grey Harbour", "The Long Mile", "Kyrkjebo", "North Holm", "Brennholt", "Ulla Brandt", "Orla Venn", "Noel Peyton"} {
		for question, entities := range map[string][]Entity{
			"Where was the director of X born?":                         {entity("director X"), entity("born", 0)},
			"When did the composer of X die?":                           {entity("composer X"), entity("die", 0)},
			"What is the seat of the county where X is located?":        {entity("county X located"), entity("seat", 0)},
			"Who owns the company that built X?":                        {entity("company built X"), entity("owns", 0)},
			"Where was the wife of the director of X buried?":           {entity("director X"), entity("wife", 0), entity("buried", 1)},
			"When was X built?":                                         {entity("X built")},
			"Who wrote X?":                                              {entity("wrote X")},
			"Which film of X won a prize in Oslo?":                      {entity("film X won prize Oslo")},
			"What is the population of the town in which X was filmed?": {entity("town X filmed"), entity("population", 0)},
		} {
			lessons = append(lessons, Lessons(strings.ReplaceAll(question, "X", name), named(entities, name))...)
		}
	}
	return lessons
}

// named puts a name in the place of X.
func named(entities []Entity, name string) []Entity {
	out := make([]Entity, len(entities))
	for i, e := range entities {
		var words []string
		for w := range e.Words {
			if w == "x" {
				w = name
			}
			words = append(words, w)
		}
		out[i] = entity(strings.Join(words, " "), e.Needs...)
	}
	return out
}

// TestLessons holds that a planner fitted to questions and their steps takes apart
// questions about other things, and in other words, and leaves those of one step whole.
func TestLessons(t *testing.T) {
	t.Parallel()
	lessons := taught()
	l := New(linear.Fit(lessons, linear.Options{Epochs: 15, Seen: 3, Rate: 0.1, Seed: 1}))
	for question, want := range map[string][]string{
		"When did the director of Silent Dust die?":                      {"Who is the director of Silent Dust?", "When did $1 die?"},
		"Where was the husband of the composer of Dark Water buried?":    {"Who is the composer of Dark Water?", "Who is the husband of $1?", "Where was $2 buried?"},
		"What is the population of the county where Summit is located?":  {"In which county is Summit located?", "What is the population of $1?"},
		"Who owns the company that built the Marrow Bridge?":             {"Which company built the Marrow Bridge?", "Who owns $1?"},
		"Who wrote Silent Dust?":                                         nil,
		"Is Jens Holm older than Ulla Brandt?":                           {"When was Jens Holm born?", "When was Ulla Brandt born?"},
		"What is the seat of the county where the Orbis Press is based?": {"In which county is the Orbis Press based?", "What is the seat of $1?"},
	} {
		if got := l.Of(question).Parts(); !slices.Equal(got, want) {
			t.Errorf("%s\n got  %q\n want %q", question, got, want)
		}
	}
}

// TestLessonsAreChoices holds which stretches are right to take out, and that nothing
// is learned where something is nested that no stretch describes.
func TestLessonsAreChoices(t *testing.T) {
	t.Parallel()
	rights := func(question string, entities ...Entity) (out []int) {
		for _, g := range Lessons(question, entities) {
			n := 0
			for i, r := range g.Right {
				if r > 0 {
					n++
				}
				if i == 0 && r > 0 {
					n = -1 // none is to be taken out
				}
			}
			out = append(out, n)
		}
		return out
	}
	// The director is taken out; alone, it nests nothing; then nothing is left.
	if got := rights("Where was the director of Grey Harbour born?", entity("director Grey Harbour"), entity("born", 0)); !slices.Equal(got, []int{1, -1, -1}) {
		t.Errorf("a question of two steps: %v", got)
	}
	if got := rights("Where was Ulla Brandt born?", entity("Ulla Brandt born")); !slices.Equal(got, []int{-1}) {
		t.Errorf("a question of one step: %v", got)
	}
	if got := rights("", entity("a")); got != nil {
		t.Errorf("no question: %v", got)
	}
	// The second entity is described by no words of the question: what has no right
	// member teaches nothing.
	if got := rights("Where was the director of Grey Harbour born?", entity("director Grey Harbour"), entity("province", 0), entity("born", 1)); !slices.Equal(got, []int{1, -1, 0}) {
		t.Errorf("a step without words: %v", got)
	}
}

func BenchmarkOf(b *testing.B) {
	l := New(linear.Fit(taught(), linear.Options{Seen: 3}))
	b.ReportAllocs()
	for b.Loop() {
		l.Of("What is the population of the town in which the director of the first film of Ulla Brandt was born?")
	}
}
