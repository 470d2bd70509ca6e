package messages

import (
	"fmt"
	"slices"
)

// Strategy names the way in which a complex question is answered.
type Strategy string

// The strategies. An empty one means Refine.
const (
	Refine     Strategy = "refine"     // HANRAG: the next seed question from what was found, until a judge ends it
	Planned    Strategy = "plan"       // MGA-RAG: a plan whose parts name each other's answers by placeholders
	Supplement Strategy = "supplement" // LevelRAG: atomic queries, summarised and verified; what is missing is asked next
)

// Strategies returns the three strategies.
func Strategies() []Strategy { return []Strategy{Refine, Planned, Supplement} }

// Valid reports whether s is one of the three strategies.
func (s Strategy) Valid() bool { return slices.Contains(Strategies(), s) }

// Reroute says why a question was not answered as the class it was given;
// empty if it was.
type Reroute string

// The reroutes. A question is rerouted once at most. A straightforward one that
// was retrieved has been under generate.<id> already; were it escalated then,
// its synthesis would need that subject again, and the log takes a subject
// only once.
const (
	Escalated Reroute = "escalated" // a single one found insufficient went on as complex
	Reduced   Reroute = "reduced"   // a complex one of one part was answered as single, one with nothing to look up as straightforward
	Retrieved Reroute = "retrieved" // a straightforward one that needed documents went on as single
)

// Reroutes returns the three reroutes.
func Reroutes() []Reroute { return []Reroute{Escalated, Reduced, Retrieved} }

// MaxParts is how many parts a plan has at most (MGA-RAG).
const MaxParts = 5

// PlanState is what has been decided about how a question is answered, and how
// far it got. It travels with the question, so that it is decided once.
type PlanState struct {
	Strategy Strategy `json:"strategy,omitempty"`
	Rerouted Reroute  `json:"rerouted,omitempty"`
	// Parts are the plan's sub-questions as planned, where $2 stands for the
	// answer of the second. Part is the one that a branch answers, from 1.
	Parts []string `json:"parts,omitempty"`
	Part  int      `json:"part,omitempty"`
	// Repaired is set once a plan that could not be followed was planned anew.
	Repaired bool `json:"repaired,omitempty"`
}

// Summarised reports whether the question's sub-queries are answered by a summary
// of what was found (LevelRAG).
func (h *Head) Summarised() bool { return h.Class == Complex && h.Strategy == Supplement }

func (c *PlanState) validate() error {
	switch {
	case c.Strategy != "" && !c.Strategy.Valid():
		return fmt.Errorf("unknown strategy %q", c.Strategy)
	case c.Rerouted != "" && !slices.Contains(Reroutes(), c.Rerouted):
		return fmt.Errorf("unknown reroute %q", c.Rerouted)
	case len(c.Parts) > MaxParts:
		return fmt.Errorf("a plan of %d parts; the limit is %d", len(c.Parts), MaxParts)
	case c.Part < 0 || c.Part > len(c.Parts):
		return fmt.Errorf("part %d of %d is out of range", c.Part, len(c.Parts))
	}
	for i, p := range c.Parts {
		if err := checkQuery(p); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	return nil
}

// PartPair returns the pair that answers part n of the plan, preferring one
// with an answer; nil if it was not asked yet.
func (h *Head) PartPair(n int) *Pair {
	var found *Pair
	for i := range h.Pairs {
		if p := &h.Pairs[i]; p.Part == n && (found == nil || found.Open()) {
			found = p
		}
	}
	return found
}

// Fulfilled reports whether every part of the plan has its answer.
func (h *Head) Fulfilled() bool {
	for i := range h.Parts {
		if p := h.PartPair(i + 1); p == nil || p.Open() {
			return false
		}
	}
	return true
}

// Claim is one of several statements that an answer consists of: an item of
// a list, or what one sub-question came to.
type Claim struct {
	Text      string     `json:"text"`
	Fields    []Field    `json:"fields,omitempty"`   // the parts of a claim that is a record
	Question  string     `json:"question,omitempty"` // the sub-question, where it is not the question itself
	Citations []Source   `json:"citations,omitempty"`
	Evidence  []Evidence `json:"evidence,omitempty"`
}

// Field is a named part of a claim that is a record, such as the dose of a drug
// (MuISQA's structured answers). An empty value means that it is not known.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// MaxFields bounds the fields of a claim.
const MaxFields = 12

// MaxClaims bounds the claims of an answer.
const MaxClaims = 64
