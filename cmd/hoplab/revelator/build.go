package revelator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/messages"
)

// Options say what to make.
type Options struct {
	Seed   uint64
	Shares Shares
	Roles  []Role // all
	// Negatives are the passages that do not help, for each question whose
	// gold passage is shown; 1 where it is 0.
	Negatives int
	// Labels says which passages help; nil: the gold does. Labelled bounds the
	// questions it is asked about, 0 for all, AtOnce those at a time.
	Labels           Labeller
	Labelled, AtOnce int
	// Progress is told of how many questions the passages are searched, and
	// labelled; nobody where nil.
	Progress func(done, total int)
}

// Made is a training set for each role.
type Made struct {
	Options  Options
	Examples map[Role]map[Split][]Example
	Sets     []SetMade
	// Components are the groups of connected questions, Largest the number
	// of questions in the largest.
	Components, Largest int
	Routed              map[Split]RouterMade // how the router's set was drawn
	Labels              string               // the model that said which passages help; empty: the gold did
}

// SetMade tells what became of a data set.
type SetMade struct {
	Name      string                 `json:"name"`
	Documents int                    `json:"documents"`
	Questions map[messages.Class]int `json:"questions"` // by class; "" is not known
	Splits    map[Split]int          `json:"splits"`
	// Placed are the questions' IDs by split, to measure on what was held out.
	Placed map[Split][]string `json:"-"`
}

// material is what the makers take from.
type material struct {
	seed   uint64
	sets   []Set
	splits *splits
	items  map[Split][]item // in drawn order
	routed map[Split]RouterMade
}

// item is a question with what is known of it.
type item struct {
	set   int
	q     *dataset.Question
	class messages.Class
	split Split
	hops  []hop // nil where a gold answer is missing
}

// Missing says that a role has nothing to learn from.
type Missing struct{ Role Role }

// Error says what the role needs.
func (e Missing) Error() string {
	need := map[Role]string{
		Router:       "questions of all four classes (straightforward=PATH single=PATH compound=PATH complex=PATH)",
		Decomposer:   "compound questions with their gold parts (compound=PATH; `hoplab revelator-data compound` makes some)",
		Refiner:      "complex questions with gold sub-questions and their answers (complex=PATH)",
		Relevance:    "single-step questions with gold passages and their corpus (single=PATH)",
		RelevanceAll: "single-step questions with gold passages and their corpus (single=PATH)",
		Ending:       "complex questions with gold sub-questions and their answers (complex=PATH)",
	}
	return fmt.Sprintf("nothing to train the role %s with: give %s, or leave it out with --roles", e.Role, need[e.Role])
}

// Build makes the examples. It fails with Missing where a role that was asked
// for has no example to train with; Dev and Test may be empty.
func Build(ctx context.Context, sets []Set, o Options) (*Made, error) {
	if len(o.Roles) == 0 {
		o.Roles = Roles()
	}
	if o.Negatives == 0 {
		o.Negatives = 1
	}
	m := &material{seed: o.Seed, sets: sets, splits: newSplits(sets, o.Seed, o.Shares), routed: map[Split]RouterMade{}}
	made := &Made{Options: o, Examples: map[Role]map[Split][]Example{}, Sets: m.collect(),
		Components: m.splits.components, Largest: m.splits.largest, Routed: m.routed}
	makers := map[Role]func(Split) []Example{Router: m.routers, Decomposer: m.decomposers, Refiner: m.refiners, Ending: m.endings}
	if slices.Contains(o.Roles, Relevance) || slices.Contains(o.Roles, RelevanceAll) {
		all, done := m.lookups(), 0
		if o.Labels != nil {
			all = sample(all, o.Labelled)
		}
		one, list, err := m.relevances(ctx, all, &o, func() {
			if done++; o.Progress != nil {
				o.Progress(done, len(all))
			}
		})
		if err != nil {
			return nil, err
		}
		makers[Relevance] = func(s Split) []Example { return one[s] }
		makers[RelevanceAll] = func(s Split) []Example { return list[s] }
	}
	for _, role := range o.Roles {
		made.Examples[role] = map[Split][]Example{}
		for _, split := range SplitNames() {
			made.Examples[role][split] = distinct(o.Seed, makers[role](split))
		}
		if len(made.Examples[role][Train]) == 0 {
			return nil, Missing{role}
		}
	}
	return made, ctx.Err()
}

// collect sorts the questions by split, in drawn order.
func (m *material) collect() []SetMade {
	m.items = map[Split][]item{}
	told := make([]SetMade, len(m.sets))
	for i := range m.sets {
		s := &m.sets[i]
		told[i] = SetMade{Name: s.Name, Documents: len(s.Documents), Questions: map[messages.Class]int{},
			Splits: map[Split]int{}, Placed: map[Split][]string{}}
		for j := range s.Questions {
			q := &s.Questions[j]
			if !usable(q.Question) {
				continue
			}
			hops, _ := chain(q)
			it := item{i, q, s.class(q), m.splits.ofQuestion(q), hops}
			m.items[it.split] = append(m.items[it.split], it)
			told[i].Questions[it.class]++
			told[i].Splits[it.split]++
			told[i].Placed[it.split] = append(told[i].Placed[it.split], q.ID)
		}
	}
	for split := range m.items {
		draw.Shuffle(m.seed, m.items[split], func(it item) string { return m.sets[it.set].Name + "\x00" + it.q.ID + "\x00" + it.q.Question })
	}
	return told
}

// distinct keeps one example per prompt, the first in drawn order: two replies to
// one prompt would teach the model neither.
func distinct(seed uint64, all []Example) []Example {
	slices.SortFunc(all, func(a, b Example) int {
		return cmp.Or(cmp.Compare(a.Prompt.User, b.Prompt.User), cmp.Compare(a.Reply, b.Reply))
	})
	all = slices.CompactFunc(all, func(a, b Example) bool { return a.Prompt == b.Prompt })
	draw.Shuffle(seed, all, func(e Example) string { return e.Prompt.User })
	return all
}
