package revelator

import (
	"math"

	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/cmd/hoplab/revelator/routing"
	"hopstream/messages"
)

// paperRouter is how many questions of each class HANRAG trains its router with
// (B.2); those of the class single come from two sources, see routers.
func paperRouter() map[messages.Class]int {
	return map[messages.Class]int{messages.Straightforward: 12_247, messages.Single: 50_000, messages.Compound: 50_000, messages.Complex: 50_000}
}

// paperRouterTest is how many questions of each class it is measured on (C).
const paperRouterTest = 1_500

// RouterMade tells how a split of the router's set was drawn.
type RouterMade struct {
	Target map[messages.Class]int `json:"paper"` // the paper's numbers
	Have   map[messages.Class]int `json:"have"`  // different questions there are
	Taken  map[messages.Class]int `json:"taken"` // the paper's proportions, as far as the scarcest class goes
	// Questions and SubQuestions are the two sources of the single ones taken.
	Questions    int `json:"single_questions"`
	SubQuestions int `json:"single_sub_questions"`

	questions []routing.Question // all that were taken
}

// routers make ⟨question, class⟩ in the paper's proportions, as many as the class
// of which there is least allows: for each 12,247 straightforward ones 50,000 of
// each other class, and to measure equal numbers, at most 1,500. Of the single
// ones half are whole questions and half gold sub-questions where these are
// written as questions, or as many as there are of one and the rest of the other;
// those to measure with are whole ones.
func (m *material) routers(split Split) []Example {
	byClass, subs := m.questionsByClass(split)
	test := split == Test
	if test && len(byClass[messages.Single]) > 0 {
		subs = nil
	}
	made := RouterMade{Target: paperRouter(), Have: map[messages.Class]int{}, Taken: map[messages.Class]int{}}
	share := 1.0
	for class := range made.Target {
		if test {
			made.Target[class] = paperRouterTest
		}
		made.Have[class] = len(byClass[class])
		if class == messages.Single {
			made.Have[class] += len(subs)
		}
		share = min(share, float64(made.Have[class])/float64(made.Target[class]))
	}
	var out []Example
	for _, class := range messages.Classes() {
		n := min(made.Have[class], int(math.Ceil(share*float64(made.Target[class]))))
		texts := byClass[class]
		draw.Shuffle(m.seed, texts, textKey)
		if class == messages.Single {
			whole := min(len(texts), max((n+1)/2, n-len(subs)))
			made.Questions, made.SubQuestions = whole, n-whole
			draw.Shuffle(m.seed, subs, textKey)
			texts = append(texts[:whole:whole], subs[:n-whole]...)
		}
		made.Taken[class] = n
		for _, text := range texts[:n] {
			out = append(out, routerExample(text, class))
			made.questions = append(made.questions, routing.Question{Question: text, Class: class})
		}
	}
	m.routed[split] = made
	return out
}

// questionsByClass returns the different questions of a split, and the gold
// sub-questions that are none of them.
func (m *material) questionsByClass(split Split) (byClass map[messages.Class][]string, subs []string) {
	byClass = map[messages.Class][]string{}
	seen := map[string]bool{}
	fresh := func(text string) bool {
		key := textKey(text)
		known := seen[key]
		seen[key] = true
		return !known
	}
	for _, it := range m.items[split] { // whole questions first: their class is given
		if it.class.Valid() && fresh(it.q.Question) {
			byClass[it.class] = append(byClass[it.class], it.q.Question)
		}
	}
	for _, it := range m.items[split] {
		for _, h := range it.hops {
			if h.natural && fresh(h.question) {
				subs = append(subs, h.question)
			}
		}
	}
	return byClass, subs
}
