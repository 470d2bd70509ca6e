package main

import (
	"slices"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages/generator"
)

// ablation leaves a part of a system out, to see what it is worth.
type ablation struct {
	name string
	what string // in its place
	// has reports whether the system has the part.
	has func(c *Config) bool
	out func(c *Config)
}

// ablations are the papers', and our own parts'.
var ablations = []ablation{
	{"filter", "the best-ranked passages, unjudged", func(c *Config) bool { return !c.Filter.Off }, func(c *Config) { c.Filter.Off = true }},
	{"judge", "all rounds of the budget", judged, func(c *Config) { c.Judge.Off = true }},
	{"refiner", "the question itself in every round", func(c *Config) bool { return c.Strategy.Complex == string(messages.Refine) }, func(c *Config) { c.Decomposer.NoRefiner = true }},
	{"reviser", "the plan as it is", func(c *Config) bool { return c.Strategy.Complex == string(messages.Planned) }, func(c *Config) { c.Decomposer.NoReviser = true }},
	{"alignment", "the passages whole", aligned, func(c *Config) { c.Aligner.Off = true }},
	{"fusion", "the most confident scale's answer", func(c *Config) bool { return aligned(c) && len(c.Aligner.Scales) > 1 }, func(c *Config) { c.Generator.NoFusion = true }},
	{"links", "BM25", func(c *Config) bool { return slices.Contains(c.Retriever.Searchers, searcher.NameLinks) }, func(c *Config) { c.Retriever.Searchers = []string{searcher.NameBM25} }},
	{"escalation", "no second try as complex", func(c *Config) bool { return c.Generator.Escalate != string(generator.EscalateNever) }, func(c *Config) { c.Generator.Escalate = string(generator.EscalateNever) }},
	{"router", "the gold class", func(c *Config) bool { return c.Router.Force == "" && !c.Router.Oracle }, func(c *Config) { c.Router.Oracle = true }},
}

func judged(c *Config) bool  { return c.Strategy.Complex != string(messages.Planned) }
func aligned(c *Config) bool { return !c.Aligner.Off }

// ablateAll stands for every part that a system has.
const ablateAll = "all"

func ablationNames() []string {
	names := []string{ablateAll}
	for _, b := range ablations {
		names = append(names, b.name)
	}
	return names
}

// without returns a, and after it a without each of the named parts that it
// has.
func (a *app) without(names []string) []*app {
	out := []*app{a}
	for _, part := range ablations {
		all := slices.Contains(names, ablateAll) && part.name != "router" // which needs gold classes: by its name only
		if !all && !slices.Contains(names, part.name) || !part.has(&a.cfg) {
			continue
		}
		b := *a
		part.out(&b.cfg)
		b.lacks = part.name
		out = append(out, &b)
	}
	return out
}

// system names what a runs as: its preset, and the part left out of it.
func (a *app) system() string {
	if a.lacks == "" {
		return a.cfg.Strategy.Preset
	}
	return a.cfg.Strategy.Preset + " without " + a.lacks
}
