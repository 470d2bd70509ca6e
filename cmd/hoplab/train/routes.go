package train

import (
	"slices"

	"hopstream/messages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/plan"
)

// sources are what the classes' questions are drawn from, in the order of
// classify.Classes. The router is measured on the sets; on extra ones it is
// fitted only, so that it does not take a set's manner for its class.
var sources = [4]struct {
	sets  []string
	extra []drawn
}{
	{sets: []string{"commonsenseqa"}},
	{
		sets:  []string{"squad", "nq", "popqa", "triviaqa"},
		extra: []drawn{{"multispanqa", asked}, {"musique", firstSteps}, {"strategyqa", firstSteps}}, // the first: lists
	},
	{sets: []string{"compoundqa"}, extra: []drawn{{"compoundqa", withoutMarks}, {"squad", inOne}}},
	{
		sets:  []string{"hotpotqa", "musique", "2wikimultihopqa"},
		extra: []drawn{{"break", multiHop}, {"strategyqa", asked}}, // the last: implicit hops
	},
}

// drawn is what is taken from an extra set.
type drawn struct {
	set  string
	draw func([]record) []string
}

// Route is a question and the class it has.
type Route struct {
	Text, Set string
	Class     messages.Class
	extra     bool
	share     float64 // of the fit
}

// Routes returns the questions of the sets in the folder root to fit a router on,
// and those held out: halves by the hash of the question's ID, or the set's own.
// No question is in both. What the folder of paraphrases has is fitted on where
// the question is.
func Routes(root, paraphrases string) (lessons, held []Route, err error) {
	d := newDrawer(root)
	for c, class := range classify.Classes() {
		for _, set := range sources[c].sets {
			more, err := d.held(set, class)
			if err != nil {
				return nil, nil, err
			}
			held = append(held, more...)
		}
	}
	for c, class := range classify.Classes() {
		for _, set := range sources[c].sets {
			more, err := d.lessons(set, class, paraphrases)
			if err != nil {
				return nil, nil, err
			}
			lessons = append(lessons, more...)
		}
		for _, x := range sources[c].extra {
			fit, err := d.fitted(x.set)
			if err != nil {
				return nil, nil, err
			}
			lessons = append(lessons, d.routes(x.set+" for "+string(class), class, true, x.draw(fit))...)
		}
	}
	setShares(lessons)
	return lessons, held, nil
}

// FitRouter returns the weights of classes, of questions that l takes apart.
func FitRouter(l *plan.Planner, lessons []Route) *linear.Model {
	var groups []linear.Group
	for i := range lessons {
		f, ok := builtin.Routed(l, lessons[i].Text)
		if !ok {
			continue
		}
		g := linear.Group{Members: f[:], Right: make([]float32, len(f)), Weight: float32(lessons[i].share * float64(len(lessons)) / 4)}
		at := classify.Classes()
		g.Right[slices.Index(at[:], lessons[i].Class)] = 1
		groups = append(groups, g)
	}
	return linear.Fit(groups, linear.Options{Epochs: 4, Rate: 0.05, Decay: 1e-3, Seed: 1})
}

// extraShare is what an extra set counts, beside 1 for a set.
const extraShare = 0.5

// complexShare is what complex questions count, beside 1 for another class: a
// complex question taken for a single one loses its answer, a single one taken
// for complex costs a step.
const complexShare = 2

// straightShare is what straightforward ones count: a question of documents that
// is taken for one is asked in vain at first, or answered without evidence.
const straightShare = 0.4

// setShares lets every set of a class count alike.
func setShares(lessons []Route) {
	count, sets := map[string]float64{}, map[messages.Class]float64{}
	worth := func(l *Route) float64 {
		if l.extra {
			return extraShare
		}
		return 1
	}
	for i := range lessons {
		l := &lessons[i]
		if count[l.Set]++; count[l.Set] == 1 {
			sets[l.Class] += worth(l)
		}
	}
	for i := range lessons {
		l := &lessons[i]
		l.share = worth(l) / count[l.Set] / sets[l.Class]
		switch l.Class {
		case messages.Complex:
			l.share *= complexShare
		case messages.Straightforward:
			l.share *= straightShare
		}
	}
}
