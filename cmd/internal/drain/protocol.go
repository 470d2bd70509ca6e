package drain

import (
	"slices"
	"strings"
)

// Request asks workers for a report. With Begin they finish what they have, and end.
type Request struct {
	// Stages chooses workers that run none but these; none means all workers.
	Stages []string `json:"stages,omitempty"`
	// Instance chooses one worker by its name; empty means all.
	Instance string `json:"instance,omitempty"`
	Begin    bool   `json:"begin,omitempty"`
}

// chooses reports whether the request is for the worker that r describes.
func (q Request) chooses(r Report) bool {
	if q.Instance != "" && q.Instance != r.Instance {
		return false
	}
	return len(q.Stages) == 0 || !slices.ContainsFunc(r.Stages, func(s string) bool { return !slices.Contains(q.Stages, s) })
}

// State is how far a worker's end is.
type State string

// The states of a worker.
const (
	Running  State = "running"
	Draining State = "draining" // it takes no more messages, and finishes what it has
	Drained  State = "drained"  // it has handed everything back, and ends
	Gone     State = "gone"     // it said no more: it ended otherwise
)

// Report is what a worker says of itself.
type Report struct {
	Instance string   `json:"instance"` // host and process
	Stages   []string `json:"stages"`
	State    State    `json:"state"`
	InFlight int      `json:"in_flight"` // messages that it works on
	Version  string   `json:"version,omitempty"`
}

// List is the stages, with commas between them.
func (r Report) List() string { return strings.Join(r.Stages, ",") }

// ended reports whether nothing more comes of the worker.
func (r Report) ended() bool { return r.State == Drained || r.State == Gone }
