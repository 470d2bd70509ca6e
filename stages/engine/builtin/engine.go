package builtin

import (
	"sync"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/plan"
	"hopstream/stages/engine/builtin/read"
	"hopstream/stages/engine/builtin/weights"
	"hopstream/stages/engine/roles"
)

// Options of an engine. The zero value is useful.
type Options struct {
	// Keep is how many passages Relevant lets through at most; 0 means 3.
	Keep int
	// Weights are what was learned; nil means those that the program was built
	// with.
	Weights *weights.Set
}

// engine answers the questions of all roles. It is safe for concurrent use.
type engine struct {
	opts    Options
	reader  *read.Reader
	spans   *linear.Model
	choice  *linear.Model
	trust   *linear.Model
	classes *linear.Model
	plans   *plan.Planner
	pool    sync.Pool // of *scratch
}

// New returns the engine: what it answers to the questions of every role.
func New(o Options) *roles.Set { return roles.Of(newEngine(o)) }

func newEngine(o Options) *engine {
	if o.Keep <= 0 {
		o.Keep = 3
	}
	if o.Weights == nil {
		o.Weights = weights.Shipped()
	}
	w := o.Weights
	return &engine{
		opts: o, reader: read.New(w.Units, w.Forms, w.Rarity), spans: w.Spans, choice: w.Choice, trust: w.Trust, classes: w.Classes,
		plans: plan.New(w.Nests),
		pool:  sync.Pool{New: func() any { return &scratch{count: make(map[uint64]uint64, 64)} }},
	}
}

// scratch is memory that calls reuse. No answer refers to it; it may hold on to
// the texts of the last call until the next one or the collector.
type scratch struct {
	toks            []lang.Token
	values          []lang.Span
	names           []lang.Span
	blocks          []block
	sents           []sent
	hits            []int8
	cands           []cand
	topOwn, topWide float32 // of all sentences
	bestUnit        int     // the page's
	observed        linear.Features
	norms, shapes   []uint64          // of toks: see candObserver
	count           map[uint64]uint64 // the sentences a candidate's words stand in, as a set of 64
}

const maxKept = 8 << 10 // tokens; larger scratch is given to the collector

func (e *engine) take() *scratch { return e.pool.Get().(*scratch) }

func (e *engine) give(s *scratch) {
	if cap(s.toks) > maxKept || cap(s.cands) > maxKept {
		return
	}
	clear(s.count)
	s.toks, s.values, s.names, s.blocks, s.sents, s.hits, s.cands =
		s.toks[:0], s.values[:0], s.names[:0], s.blocks[:0], s.sents[:0], s.hits[:0], s.cands[:0]
	e.pool.Put(s)
}
