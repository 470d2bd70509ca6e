package model

import (
	"context"
	"time"
)

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	OK          Outcome = "ok"
	Shared      Outcome = "shared" // with an identical one in flight
	Cached      Outcome = "cached"
	Kept        Outcome = "kept" // of an earlier attempt, see Store
	Failed      Outcome = "failed"
	Unavailable Outcome = "unavailable" // the server was away or busy
	Cancelled   Outcome = "cancelled"
	Late        Outcome = "late" // the question's time ran out, or did not suffice for a call
)

// Call is one call of a model, as it ended.
type Call struct {
	Role, Model      string
	Server           string // its URL, as it may be shown
	Embeds           bool   // texts into vectors, rather than a chat
	Outcome          Outcome
	Queue            time.Duration // waiting for a free slot
	Took             time.Duration // waiting for the server
	PromptTokens     int
	CompletionTokens int
	Err              error // why there is no reply
}

// Event is something that may go wrong with a call.
type Event string

// The events.
const (
	Repaired  Event = "repaired"  // asked again, with the error shown
	Unusable  Event = "unusable"  // the reply could not be used even then
	Fallback  Event = "fallback"  // another engine answered instead
	Truncated Event = "truncated" // the server cut the prompt silently
	Dropped   Event = "dropped"   // passages left out to fit the context
)

// Observer is told of every call, with the context in which it was made; it must be
// safe for concurrent use.
type Observer interface {
	Call(context.Context, Call)
	Event(role, model string, e Event, n int)
	InFlight(model string, delta int)
}

type deaf struct{}

func (deaf) Call(context.Context, Call)       {}
func (deaf) Event(string, string, Event, int) {}
func (deaf) InFlight(string, int)             {}
