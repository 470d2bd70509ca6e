package sim

import (
	"time"

	"hopstream/stages/engine/roles"
)

// Options of a server. Only Engine is needed.
type Options struct {
	// Engine says what a model would.
	Engine roles.Engine
	// Latency of a reply or of a request for vectors.
	Latency Latency
	// Parallel is how many requests are worked on at once; 0 means 8.
	Parallel int
	// Queue is how many wait at most before the server says that it is busy;
	// 0 means 512, below 0 means none.
	Queue int
	// NumCtx is the longest context the server gives, in tokens, whatever a
	// request asks for; 0 means no limit. A request that does not ask gets
	// 4096. A prompt that is longer loses its beginning, and nothing but
	// prompt_eval_count tells, unless the request forbids to truncate it.
	NumCtx int
	// Models are the names of those it has; none means any name.
	Models []string
	// Faults are the shares of requests that go wrong.
	Faults Faults
	// Seed of what is drawn.
	Seed uint64
}

// Latency is how long a request is worked on: lognormal around a median.
type Latency struct {
	// Mean is the median; 0 means 200 ms, below 0 none.
	Mean time.Duration
	// Sigma is the spread, the deviation of the logarithm; 0 means that every
	// request takes Mean.
	Sigma float64
	// PerToken is added for each token of the reply, which is streamed at that
	// pace.
	PerToken time.Duration
}

const (
	defaultLatency  = 200 * time.Millisecond
	defaultParallel = 8
	defaultQueue    = 512
	defaultNumCtx   = 4096
)

func (o Options) withDefaults() Options {
	if o.Latency.Mean == 0 {
		o.Latency.Mean = defaultLatency
	}
	o.Latency.Mean = max(o.Latency.Mean, 0)
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	o.Queue = max(o.Queue, 0)
	return o
}
