package eval

import (
	"slices"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages/generator"
)

// ablation leaves one part of a system out, to measure what the part is worth.
type ablation struct {
	name string
	what string // in its place
	// has reports whether the system has the part.
	has func(c *config.Config) bool
	out func(c *config.Config)
}

// ablations are those of the papers, and one for each part that is our own.
var ablations = []ablation{
	{"filter", "the best-ranked passages, unjudged", func(c *config.Config) bool { return !c.Filter.Off }, func(c *config.Config) { c.Filter.Off = true }},
	{"judge", "all rounds of the budget", judged, func(c *config.Config) { c.Judge.Off = true }},
	{"refiner", "the question itself in every round", func(c *config.Config) bool { return c.Strategy.Complex == string(messages.Refine) }, func(c *config.Config) { c.Decomposer.NoRefiner = true }},
	{"reviser", "the plan as it is", func(c *config.Config) bool { return c.Strategy.Complex == string(messages.Planned) }, func(c *config.Config) { c.Decomposer.NoReviser = true }},
	{"alignment", "the passages whole", aligned, func(c *config.Config) { c.Aligner.Windows = false }},
	{"fusion", "the most confident scale's answer", func(c *config.Config) bool { return aligned(c) && len(c.Aligner.Scales) > 1 }, func(c *config.Config) { c.Generator.NoFusion = true }},
	{"links", "BM25", func(c *config.Config) bool { return slices.Contains(c.Retriever.Searchers, searcher.NameLinks) }, func(c *config.Config) { c.Retriever.Searchers = []string{searcher.NameBM25} }},
	{"escalation", "no second try as complex", func(c *config.Config) bool { return c.Generator.Escalate != string(generator.EscalateNever) }, func(c *config.Config) { c.Generator.Escalate = string(generator.EscalateNever) }},
	{"router", "the gold class", func(c *config.Config) bool { return c.Router.Force == "" && !c.Router.Oracle }, func(c *config.Config) { c.Router.Oracle = true }},
}

func judged(c *config.Config) bool  { return c.Strategy.Complex != string(messages.Planned) }
func aligned(c *config.Config) bool { return c.Aligner.Windows && !c.Aligner.Off }

// ablateAll stands for every part that a system has.
const ablateAll = "all"

// Ablations are the names of the parts that can be left out, and of all of them.
func Ablations() []string {
	names := []string{ablateAll}
	for _, b := range ablations {
		names = append(names, b.name)
	}
	return names
}

// system is what a run measures: the program as it is configured, and the part
// that was left out of it to see what it is worth.
type system struct {
	*cli.App
	lacks string // empty where nothing was left out
}

// without returns s, and after it s without each of the named parts that it
// has.
func (s *system) without(names []string) []*system {
	out := []*system{s}
	for _, part := range ablations {
		all := slices.Contains(names, ablateAll) && part.name != "router" // leaving the router out needs gold classes, so it must be named
		if !all && !slices.Contains(names, part.name) || !part.has(&s.Config) {
			continue
		}
		b := *s.App
		part.out(&b.Config)
		out = append(out, &system{&b, part.name})
	}
	return out
}

// name says what is measured: the preset, and the part left out of it.
func (s *system) name() string {
	if s.lacks == "" {
		return s.Config.Strategy.Preset
	}
	return s.Config.Strategy.Preset + " without " + s.lacks
}
