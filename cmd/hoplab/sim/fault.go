package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// Faults are shares of requests, from 0 to 1. A request has one fault at most,
// so together they are 1 at most. Those of a reply's text do not touch
// embeddings, nor a chat that shows the model its first reply, which is
// answered as it should be.
type Faults struct {
	Busy          float64 // 503, at once
	Error         float64 // 500, as when the model's process dies
	Cut           float64 // the stream ends in the middle, without its done and without an error
	Drop          float64 // the connection is closed before any byte
	SlowFirstByte float64 // ten times the latency

	Malformed   float64 // text: JSON that is none
	Chatter     float64 // text: the right JSON in a fence, or between remarks
	Thinking    float64 // text: none, the model thought up to the limit
	WrongSchema float64 // text: JSON of another shape
	Truncated   float64 // text: its first half, with done_reason "length"
	Noise       float64 // text: random words
}

// Share is one fault by its name, in lower case with dashes.
type Share struct {
	Name  string
	Value *float64
	About string
}

// Shares lists the faults, to be set or read by name.
func (f *Faults) Shares() []Share {
	return []Share{
		{"busy", &f.Busy, "answered 503 at once"},
		{"error", &f.Error, "answered 500"},
		{"cut", &f.Cut, "whose stream ends in the middle without an error"},
		{"drop", &f.Drop, "whose connection is closed before any byte"},
		{"slow-first-byte", &f.SlowFirstByte, "that take ten times the latency"},
		{"malformed", &f.Malformed, "answered with broken JSON"},
		{"chatter", &f.Chatter, "answered with JSON in a fence or between remarks"},
		{"thinking", &f.Thinking, "answered with thinking only, up to the limit"},
		{"wrong-schema", &f.WrongSchema, "answered with JSON of another shape"},
		{"truncated", &f.Truncated, "whose text ends in the middle, for its length"},
		{"noise", &f.Noise, "answered with random words"},
	}
}

// Validate returns an error that names the share that is none, or says that
// they are above 1 together.
func (f Faults) Validate() error {
	sum := 0.0
	for _, s := range f.Shares() {
		if math.IsNaN(*s.Value) || *s.Value < 0 || *s.Value > 1 {
			return fmt.Errorf("the share of %s is %v: it must be from 0 to 1", s.Name, *s.Value)
		}
		sum += *s.Value
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("the shares of the faults are %.4g together: they must be 1 at most", sum)
	}
	return nil
}

// textFaults are the faults of a reply's text.
var textFaults = map[string]bool{
	"malformed": true, "chatter": true, "thinking": true, "wrong-schema": true, "truncated": true, "noise": true,
}

// dice draws for one request after the other.
type dice struct {
	mu      sync.Mutex
	rng     *rand.Rand
	shares  []Share
	latency Latency
}

// throw is what was drawn for a request.
type throw struct {
	fault   string // "" for none
	latency time.Duration
	rng     *rand.Rand // for what is drawn later; not safe for concurrent use
}

func newDice(o *Options) *dice {
	faults := o.Faults
	return &dice{rng: rand.New(rand.NewPCG(o.Seed, 0x5117)), shares: faults.Shares(), latency: o.Latency}
}

// throw draws the same for the n-th request of every server with the seed.
func (d *dice) throw() throw {
	d.mu.Lock()
	u, z, a, b := d.rng.Float64(), d.rng.NormFloat64(), d.rng.Uint64(), d.rng.Uint64()
	d.mu.Unlock()
	t := throw{latency: d.latency.Mean, rng: rand.New(rand.NewPCG(a, b))}
	if d.latency.Sigma > 0 {
		t.latency = time.Duration(min(float64(t.latency)*math.Exp(d.latency.Sigma*z), float64(time.Hour)))
	}
	for _, s := range d.shares {
		if u -= *s.Value; u < 0 {
			t.fault = s.Name
			break
		}
	}
	if t.fault == "slow-first-byte" {
		t.latency *= 10
	}
	return t
}
