package messages

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxQuestion is the longest question, in bytes.
const MaxQuestion = 8 << 10

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

	head Head // set by Accept
}

// Kind returns KindQuestion.
func (*Question) Kind() Kind { return KindQuestion }

// Remaining is the whole budget: nothing was used yet.
func (q *Question) Remaining() Usage { return q.head.Remaining() }

// Key returns the question's ID.
func (q *Question) Key() Key { return Key{ID: q.ID} }

// Validate checks ID, text, budget, class and strategy.
func (q *Question) Validate() error {
	if q.ID != "" {
		if err := CheckID(q.ID); err != nil {
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
	}
	return nil
}
