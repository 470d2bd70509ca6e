package config

import (
	"slices"
	"time"
)

// validateLimits says what is wrong with numbers that nothing could be done
// with.
func (c *Config) validateLimits(bad func(string, ...any)) {
	p, i := &c.Pipeline, &c.Index
	for _, l := range []struct {
		key string
		is  int64
	}{
		{"pipeline.max_open", p.MaxOpen}, {"pipeline.budget.rounds", int64(p.Budget.Rounds)},
		{"pipeline.budget.branches", int64(p.Budget.Branches)}, {"pipeline.budget.model_calls", int64(p.Budget.ModelCalls)},
		{"pipeline.budget.tokens", int64(p.Budget.Tokens)}, {"filter.keep", int64(c.Filter.Keep)},
	} {
		if l.is < 1 {
			bad("%s %d: at least 1", l.key, l.is)
		}
	}
	if a := c.Admission; a.LeastWindow < 0 || a.MostWindow < max(1, a.LeastWindow) {
		bad("admission.least_window %d is at least 0, admission.most_window %d at least that and 1", a.LeastWindow, a.MostWindow)
	}
	if p.MaxLag == 0 {
		bad("pipeline.max_lag 0: at least 1")
	}
	if p.Deadline < time.Millisecond {
		bad("pipeline.deadline %v: at least a millisecond", p.Deadline)
	}
	if p.Grace <= 0 {
		bad("pipeline.grace %v: more than 0", p.Grace)
	}
	if p.KeepReplies < 0 {
		bad("pipeline.keep_replies %d: at least 0, which keeps none", p.KeepReplies)
	}
	if !slices.Contains([]string{shareAuto, shareOn, shareOff}, p.ShareWork) {
		bad("pipeline.share_work %q: choose auto, on or off", p.ShareWork)
	}
	if c.NATS.Sync < 0 {
		bad("nats.sync %v: at least 0, which leaves it to the server", c.NATS.Sync)
	}
	switch {
	case i.ChunkOverlap < 0:
		bad("index.chunk_overlap %d: at least 0", i.ChunkOverlap)
	case i.ChunkSize <= i.ChunkOverlap:
		bad("index.chunk_size %d is not more than index.chunk_overlap %d: a passage cannot repeat all of the one before", i.ChunkSize, i.ChunkOverlap)
	}
	if !(i.K1 >= 0) || !(i.B >= 0 && i.B <= 1) {
		bad("index.k1 is at least 0, index.b between 0 and 1")
	}
	if !(c.Web.PerSecond > 0) {
		bad("web.per_second %v: more than 0", c.Web.PerSecond)
	}
}
