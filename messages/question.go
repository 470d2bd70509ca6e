package messages

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxQuestion is the longest question, in bytes.
const MaxQuestion = 8 << 10

// Priority says which questions a model's slots serve first when there are too
// few of them.
type Priority string

// The priorities. An empty one means Normal.
const (
	Interactive Priority = "interactive" // somebody waits for the answer
	Normal      Priority = "normal"
	Bulk        Priority = "bulk" // one of very many
)

// Priorities returns the three priorities, the one served first at the front.
func Priorities() []Priority { return []Priority{Interactive, Normal, Bulk} }

// Valid reports whether p is one of the three priorities.
func (p Priority) Valid() bool { return slices.Contains(Priorities(), p) }

// KindQuestion is the kind of a Question.
const KindQuestion Kind = "question"

// Question is what a user asks. Any NATS client may publish one. All but the
// text is optional; without an ID it has the one of its subject.
type Question struct {
	Envelope
	ID       string   `json:"id,omitempty"`
	Question string   `json:"question"`
	Deadline Deadline `json:"deadline,omitzero"`
	Budget   Budget   `json:"budget,omitzero"`
	Class    Class    `json:"class,omitempty"`    // answer it as this class, without asking the router
	Strategy Strategy `json:"strategy,omitempty"` // of a complex question; empty means the configured one
	Priority Priority `json:"priority,omitempty"` // which questions are admitted, and a busy model serves, first; empty means normal
	Tenant   string   `json:"tenant,omitempty"`   // who asks, and shares the pipeline with other tenants; empty means default

	head Head // set by Accept
}

// Kind returns KindQuestion.
func (*Question) Kind() Kind { return KindQuestion }

// Remaining is the whole budget: nothing was used yet.
func (q *Question) Remaining() Usage { return q.head.Remaining() }

// Key returns the question's ID and lane.
func (q *Question) Key() Key { return Key{ID: q.ID, Lane: NewLane(q.Tenant, q.Priority)} }

// Stand tells the question in which lane it was stored, whose tenant and priority
// are then its own. It fails if it says that it has others. In the zero lane it may
// say so: that is where a client stores questions which knows no lanes.
func (q *Question) Stand(l Lane) error {
	if l == (Lane{}) {
		return nil
	}
	tenant, p := l.Of()
	if q.Tenant == "" {
		q.Tenant = tenant
	}
	if q.Priority == "" {
		q.Priority = p
	}
	if q.Tenant != tenant || q.Priority != p {
		return fmt.Errorf("a question of tenant %s and priority %s stands in the lane of %s and %s: publish it into its own, or under its ID alone", q.Tenant, q.Priority, tenant, p)
	}
	return nil
}

// Validate checks ID, text, budget, class, strategy, priority and tenant.
func (q *Question) Validate() error {
	if q.ID != "" {
		if err := CheckID(q.ID); err != nil {
			return err
		}
	}
	if q.Tenant != "" {
		if err := CheckTenant(q.Tenant); err != nil {
			return err
		}
	}
	switch {
	case strings.TrimSpace(q.Question) == "":
		return errors.New(`"question" is empty: give its text`)
	case len(q.Question) > MaxQuestion:
		return fmt.Errorf("question has %d bytes; the limit is %d: shorten it, and put long material into documents", len(q.Question), MaxQuestion)
	case !utf8.ValidString(q.Question):
		return errors.New("question is not valid UTF-8: convert it")
	case q.Budget.Rounds < 0 || q.Budget.Branches < 0 || q.Budget.ModelCalls < 0 || q.Budget.Tokens < 0:
		return errors.New("budget must not be negative")
	case q.Class != "" && !q.Class.Valid():
		return fmt.Errorf("there is no class %q: choose from %v, or leave it out", q.Class, Classes())
	case q.Strategy != "" && !q.Strategy.Valid():
		return fmt.Errorf("there is no strategy %q: choose from %v, or leave it out", q.Strategy, Strategies())
	case q.Priority != "" && !q.Priority.Valid():
		return fmt.Errorf("there is no priority %q: choose from %v, or leave it out", q.Priority, Priorities())
	}
	return nil
}
