package messages

import (
	"errors"
	"fmt"
	"time"
)

// Message is what Encode takes and Decode returns.
type Message interface {
	// Kind is the message's type.
	Kind() Kind
	// Key places the message among those of its kind.
	Key() Key
	// Validate says what is wrong with the message, or nil.
	Validate() error

	stamp(version int, kind Kind)
	stamped() (version int, kind Kind)
}

// Carrier is a message that belongs to a question in progress.
type Carrier interface {
	Message
	// Meta returns the head, which the runner reads and updates.
	Meta() *Head
	// Remaining is what may be used of models to work on the message.
	Remaining() Usage
}

// Envelope is the version and type every message states about itself.
type Envelope struct {
	V int  `json:"v,omitempty"`
	K Kind `json:"kind,omitempty"`
}

func (e *Envelope) stamp(v int, k Kind)  { e.V, e.K = v, k }
func (e *Envelope) stamped() (int, Kind) { return e.V, e.K }

// Head is what every inner message carries about its question.
type Head struct {
	Envelope
	// ID is the question's ID, which is the correlation ID of all its messages.
	ID string `json:"id"`
	// Seq is the question's sequence in the question stream, where it stays
	// until it is answered.
	Seq uint64 `json:"seq,omitempty"`
	// Docs is the document stream's last sequence when the question was
	// accepted, or as much less as the configuration allows: the question is
	// answered from indexes that hold every document up to it. 0 means that
	// there was no document, or that an earlier build accepted the question.
	Docs uint64 `json:"docs,omitempty"`
	// Round and Branch count from 1; 0 means the message concerns the whole
	// question (or round). Branches is the size of the round.
	Round    int `json:"round,omitempty"`
	Branch   int `json:"branch,omitempty"`
	Branches int `json:"branches,omitempty"`

	Class Class `json:"class,omitempty"`
	PlanState
	Question string    `json:"question"`
	Asked    time.Time `json:"asked"`
	Deadline time.Time `json:"deadline"`
	Priority Priority  `json:"priority,omitempty"`
	Budget   Budget    `json:"budget"`
	// Usage is what the question has used so far; a branch counts its own
	// use on top of Base, which is the usage when its round was planned.
	Usage Usage `json:"usage"`
	Base  Usage `json:"base,omitzero"`
	// Pairs are the sub-questions answered so far, in order of round and branch.
	Pairs []Pair `json:"pairs,omitempty"`
	// GaveUp is what was done without for the question as a whole, for want of
	// time or of a usable reply, each as "role: reason". What a sub-query did
	// without stands in its pair.
	GaveUp []string `json:"gave_up,omitempty"`
	// Trace is the W3C traceparent of the message's producer.
	Trace string `json:"trace,omitempty"`
}

// Meta returns h.
func (h *Head) Meta() *Head { return h }

// Single reports whether the question is answered by its only branch, so that
// no join and no final synthesis follow.
func (h *Head) Single() bool { return h.Class == Single }

// Remaining is what may still be used by whoever holds this message: a branch
// has its equal share of what was left when its round was planned, so that a
// round as a whole stays within the budget. Where a synthesis follows, one
// call is kept back for it, so that a question whose budget is used up still
// says what it found. Only ModelCalls and PromptTokens (here: tokens of either
// sort) are set.
func (h *Head) Remaining() Usage {
	calls := h.Budget.ModelCalls
	if h.Round > 0 && !h.Single() {
		calls--
	}
	left := func(budget, base, used int) int {
		if h.Branch == 0 {
			return max(0, budget-used)
		}
		return max(0, (budget-base)/max(1, h.Branches)-(used-base))
	}
	tokens := func(u Usage) int { return u.PromptTokens + u.CompletionTokens }
	return Usage{
		ModelCalls:   left(calls, h.Base.ModelCalls, h.Usage.ModelCalls),
		PromptTokens: left(h.Budget.Tokens, tokens(h.Base), tokens(h.Usage)),
	}
}

func (h *Head) validate(needRound, needBranch bool) error {
	if err := CheckID(h.ID); err != nil {
		return err
	}
	switch {
	case h.Question == "":
		return errors.New("question is empty")
	case len(h.Question) > MaxQuestion:
		return fmt.Errorf("question has %d bytes; the limit is %d", len(h.Question), MaxQuestion)
	case h.Class != "" && !h.Class.Valid():
		return fmt.Errorf("unknown class %q", h.Class)
	case h.Round < 0 || h.Branch < 0 || h.Branches < 0:
		return errors.New("round, branch and branches must not be negative")
	case needRound && h.Round == 0:
		return errors.New("round is missing")
	case h.Branches > MaxBranches:
		return fmt.Errorf("a round of %d branches; the limit is %d", h.Branches, MaxBranches)
	case needBranch && (h.Branch == 0 || h.Branch > h.Branches):
		return fmt.Errorf("branch %d of %d is out of range", h.Branch, h.Branches)
	case h.Deadline.IsZero():
		return errors.New("deadline is missing")
	}
	return h.PlanState.validate()
}

// Pair is one sub-question and what was found for it.
type Pair struct {
	Round      int        `json:"round"`
	Branch     int        `json:"branch"`
	Question   string     `json:"question"`
	Answer     string     `json:"answer,omitempty"`
	Confidence float64    `json:"confidence,omitempty"` // 0 to 1, as the engine judges it
	Sources    []Source   `json:"sources,omitempty"`    // what the answer came from, best first
	Failed     bool       `json:"failed,omitempty"`
	Error      string     `json:"error,omitempty"`
	Found      []Find     `json:"found,omitempty"`    // the passages it was answered from, and who found them
	Degraded   []string   `json:"degraded,omitempty"` // searchers and roles that did not help, "name: reason"
	Queries    []string   `json:"queries,omitempty"`  // what was searched for in its place, see Found
	Part       int        `json:"part,omitempty"`     // of the plan, from 1
	Claims     []Claim    `json:"claims,omitempty"`   // the items, where the answer is a list
	Evidence   []Evidence `json:"evidence,omitempty"` // what the answer rests on
	// Shared is whose work the answer is, as "question.round.branch", where another
	// question asked the same and this one did not work on it.
	Shared string `json:"shared,omitempty"`
}

// Open reports whether the pair leaves its sub-question unanswered.
func (p *Pair) Open() bool { return p.Failed || p.Answer == "" }

// Passage is a piece of a document, as retrieved.
type Passage struct {
	ID    string   `json:"id"` // document ID, with #n where the document has several
	Title string   `json:"title,omitempty"`
	Text  string   `json:"text"`
	Score float64  `json:"score,omitempty"` // the searcher's own; higher is better
	Rank  int      `json:"rank,omitempty"`  // from 1
	By    []string `json:"by,omitempty"`    // the searchers that found it, sorted
	URL   string   `json:"url,omitempty"`   // where a passage from the web stands
	Place
}

// Window is a stretch of a passage at one scale (MGA-RAG). Scale is its
// nominal length in characters; 0 means the passage whole.
type Window struct {
	Passage string  `json:"passage"` // the passage's ID
	Title   string  `json:"title,omitempty"`
	Heading string  `json:"heading,omitempty"` // the passage's, see Place
	Text    string  `json:"text"`
	Scale   int     `json:"scale,omitempty"`
	Score   float64 `json:"score,omitempty"` // cosine to the sub-question
}

// Finding is an answer with what supports it. An empty Text means: not found.
type Finding struct {
	Text       string   `json:"text,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // 0 to 1
	Sources    []Source `json:"sources,omitempty"`
	Claims     []Claim  `json:"claims,omitempty"` // what Text consists of, where that is several things
	// Evidence is what Text rests on. Engines set at least the quote, and the
	// passage if they know it; the generator looks it up, and completes it.
	Evidence []Evidence `json:"evidence,omitempty"`
}
