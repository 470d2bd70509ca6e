package roles

import (
	"slices"

	"hopstream/messages"
)

// Asker is a stage or a searcher that asks a role.
type Asker struct {
	Stage    string
	Searcher string // of the retriever's; empty: the stage itself
	When     When
}

// When says under which settings a stage asks a role.
type When int

// The settings.
const (
	Always      When = iota
	Refines          // complex questions are pursued by refining, or a plan may be given up for that
	JudgesFirst      // complex questions that are refined are judged before the first round
	Plans            // complex questions are planned
	Revises          // … and the plans looked over
	Supplement       // complex questions are supplemented
	Aligned          // passages are cut into windows
	Whole            // passages stay whole
	Escalates        // single questions are judged
	NoneHelps        // a sub-query that no passage helps is answered without documents
)

// String says it as a configuration does.
func (w When) String() string {
	switch w {
	case Refines:
		return "strategy.complex: refine, or plan without decomposer.no_repair"
	case JudgesFirst:
		return "strategy.complex: refine, with judge.first"
	case Plans:
		return "strategy.complex: plan"
	case Revises:
		return "strategy.complex: plan, without decomposer.no_reviser"
	case Supplement:
		return "strategy.complex: supplement"
	case Aligned:
		return "alignment"
	case Whole:
		return "no alignment"
	case Escalates:
		return "generator.escalate: judged"
	case NoneHelps:
		return "per sub-query, with filter.if_none: direct"
	}
	return "always"
}

// ofStrategy reports whether the condition depends on the strategy. A question may
// come with another strategy than the configured one.
func (w When) ofStrategy() bool { return w >= Refines && w <= Supplement }

// Setting is what decides which roles the stages ask.
type Setting struct {
	Strategy   messages.Strategy // of complex questions that have none of their own
	NoReviser  bool
	NoRepair   bool // a plan that cannot be followed is not given up for refining
	JudgeFirst bool // the decomposer asks whether anything has to be looked up
	Aligned    bool
	Escalates  bool // the generator asks whether a single question's answer suffices
	Direct     bool // the generator answers without documents where no passage helps
	Searchers  []string
}

func (s *Setting) holds(w When) bool {
	refined := s.Strategy == "" || s.Strategy == messages.Refine
	switch w {
	case Refines:
		return refined || s.Strategy == messages.Planned && !s.NoRepair
	case JudgesFirst:
		return refined && s.JudgeFirst
	case Plans:
		return s.Strategy == messages.Planned
	case Revises:
		return s.Strategy == messages.Planned && !s.NoReviser
	case Supplement:
		return s.Strategy == messages.Supplement
	case Aligned:
		return s.Aligned
	case Whole:
		return !s.Aligned
	case Escalates:
		return s.Escalates
	case NoneHelps:
		return s.Direct
	}
	return true
}

// AskedBy returns the roles that a stage asks as it is set, in the table's
// order.
func AskedBy(stage string, set Setting) []Role {
	return rolesWhere(func(a Asker) bool {
		return a.Stage == stage && set.holds(a.When) && (a.Searcher == "" || slices.Contains(set.Searchers, a.Searcher))
	})
}

// OfStrategies returns the roles that a stage asks under some strategy, whichever
// is configured, as it is set besides.
func OfStrategies(stage string, set Setting) []Role {
	return rolesWhere(func(a Asker) bool {
		return a.Stage == stage && a.When.ofStrategy() && slices.ContainsFunc(messages.Strategies(), func(s messages.Strategy) bool {
			set.Strategy = s
			return set.holds(a.When)
		})
	})
}

func rolesWhere(asks func(Asker) bool) []Role {
	var out []Role
	for _, r := range Table() {
		if slices.ContainsFunc(r.By, asks) {
			out = append(out, r.Role)
		}
	}
	return out
}

// stage is one that always asks a role.
func stage(name string) []Asker { return []Asker{{Stage: name}} }

// when is a stage that asks a role under one setting.
func when(w When, name string) []Asker { return []Asker{{Stage: name, When: w}} }

// searchers are those that ask a role, in the retriever.
func searchers(names ...string) []Asker {
	var out []Asker
	for _, name := range names {
		out = append(out, Asker{Stage: "retriever", Searcher: name})
	}
	return out
}
