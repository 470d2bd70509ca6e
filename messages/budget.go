package messages

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Budget bounds what one question may use. A zero field means the default of
// the worker that accepts the question. Wall time is bounded by the deadline.
type Budget struct {
	Rounds     int `json:"rounds,omitempty"`      // of retrieval
	Branches   int `json:"branches,omitempty"`    // sub-queries of one round
	ModelCalls int `json:"model_calls,omitempty"` // chat calls, not embeddings
	Tokens     int `json:"tokens,omitempty"`      // prompt and completion together
}

// DefaultBudget returns the budget of a question where nothing is configured:
// 5 rounds of 8 branches, 200 model calls, a million tokens. Every strategy
// fits in it.
func DefaultBudget() Budget {
	return Budget{Rounds: 5, Branches: 8, ModelCalls: 200, Tokens: 1_000_000}
}

// Or returns b with its zero (or negative) fields taken from d. The others are
// at most ten times d's, and branches at most MaxBranches, so that a question
// cannot ask for an unbounded run.
func (b Budget) Or(d Budget) Budget {
	pick := func(v, def int) int {
		if v <= 0 {
			return def
		}
		return min(v, 10*def)
	}
	return Budget{
		Rounds:     pick(b.Rounds, d.Rounds),
		Branches:   min(pick(b.Branches, d.Branches), MaxBranches),
		ModelCalls: pick(b.ModelCalls, d.ModelCalls),
		Tokens:     pick(b.Tokens, d.Tokens),
	}
}

// Deadline is a point in time or a span from the moment a question is stored.
// In JSON it is an RFC 3339 time, a Go duration ("90s") or a number of seconds.
type Deadline struct {
	At    time.Time
	After time.Duration
}

// IsZero reports whether no deadline was given.
func (d Deadline) IsZero() bool { return d.At.IsZero() && d.After == 0 }

// From returns the point in time d means for a question stored at t; def is
// the span when none was given.
func (d Deadline) From(t time.Time, def time.Duration) time.Time {
	switch {
	case !d.At.IsZero():
		return d.At
	case d.After > 0:
		return t.Add(d.After)
	}
	return t.Add(def)
}

// MarshalJSON writes a time as RFC 3339 and a span as a Go duration. It fails
// on a time that RFC 3339 cannot say.
func (d Deadline) MarshalJSON() ([]byte, error) {
	if !d.At.IsZero() {
		return d.At.MarshalJSON()
	}
	return json.Marshal(d.After.String())
}

// UnmarshalJSON reads the three forms; null and "" mean no deadline. It fails
// on anything else, and on a span that is not positive.
func (d *Deadline) UnmarshalJSON(b []byte) error {
	s := strings.TrimSpace(string(b))
	if s == "null" || s == `""` {
		*d = Deadline{}
		return nil
	}
	bad := fmt.Errorf(`deadline %.40s: want a time ("2026-01-02T15:04:05Z"), a duration ("90s") or seconds (90)`, s)
	if !strings.HasPrefix(s, `"`) {
		var sec float64
		if err := json.Unmarshal(b, &sec); err != nil || sec <= 0 || sec > 1e9 {
			return bad
		}
		*d = Deadline{After: max(1, time.Duration(sec*float64(time.Second)))}
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return bad
	}
	if span, err := time.ParseDuration(text); err == nil {
		if span <= 0 {
			return bad
		}
		*d = Deadline{After: span}
		return nil
	}
	var at time.Time
	if err := at.UnmarshalText([]byte(text)); err != nil || at.IsZero() {
		return bad
	}
	if _, err := at.MarshalText(); err != nil { // a zone that is read but not written
		return bad
	}
	*d = Deadline{At: at}
	return nil
}
