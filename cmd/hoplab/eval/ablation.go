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
	{"judge", "all rounds of the budget, from the first", judged, func(c *config.Config) { c.Judge.Off = true }},
	{"refiner", "the question itself in every round", pursues(messages.Refine), func(c *config.Config) { c.Decomposer.NoRefiner = true }},
	{"reviser", "the plan as it is", pursues(messages.Planned), func(c *config.Config) { c.Decomposer.NoReviser = true }},
	{"supplement", "one round of atomic queries, unverified", pursues(messages.Supplement), func(c *config.Config) { c.Judge.Off, c.Pipeline.Budget.Rounds = true, 1 }},
	{"summary", "the parts of the question answered, and put together", pursues(messages.Supplement), func(c *config.Config) { c.Router.Force = string(messages.Compound) }},
	{"decomposition", "one retrieval with the question as it is", func(c *config.Config) bool { return c.Router.Force == string(messages.Complex) }, func(c *config.Config) { c.Router.Force = string(messages.Single) }},
	{"rewriting", "each searcher once, with the query as it is", rewritten, func(c *config.Config) { c.Retriever.Refinements, c.Retriever.Verifications = 0, 0 }},
	{"searchers", "BM25", several, func(c *config.Config) { c.Retriever.Searchers = []string{searcher.NameBM25} }},
	{"intents", "one query, the question as it is", searches(searcher.NameIntents), plainly},
	{"alignment", "the passages whole", aligned, func(c *config.Config) { c.Aligner.Windows = false }},
	{"scales", "the smallest of the scales", func(c *config.Config) bool { return aligned(c) && len(c.Aligner.Scales) > 1 }, func(c *config.Config) { c.Aligner.Scales = []int{slices.Min(c.Aligner.Scales)} }},
	{"fusion", "the most confident scale's answer", func(c *config.Config) bool { return aligned(c) && len(c.Aligner.Scales) > 1 }, func(c *config.Config) { c.Generator.NoFusion = true }},
	{"links", "BM25", searches(searcher.NameLinks), func(c *config.Config) { c.Retriever.Searchers = []string{searcher.NameBM25} }},
	{"escalation", "no second try as complex", func(c *config.Config) bool { return c.Generator.Escalate != string(generator.EscalateNever) }, func(c *config.Config) { c.Generator.Escalate = string(generator.EscalateNever) }},
	{"router", "the gold class", func(c *config.Config) bool { return c.Router.Force == "" && !c.Router.Oracle }, func(c *config.Config) { c.Router.Oracle = true }},
}

func judged(c *config.Config) bool {
	return pursues(messages.Refine)(c) || pursues(messages.Supplement)(c)
}

// pursues tells whether complex questions, if there are any, are pursued so.
func pursues(s messages.Strategy) func(*config.Config) bool {
	return func(c *config.Config) bool {
		return c.Strategy.Complex == string(s) && (c.Router.Force == "" || c.Router.Force == string(messages.Complex))
	}
}

func searches(name string) func(*config.Config) bool {
	return func(c *config.Config) bool { return slices.Contains(c.Retriever.Searchers, name) }
}

func several(c *config.Config) bool { return len(c.Retriever.Searchers) > 1 }

// rewritten tells whether a searcher asks again in other words.
func rewritten(c *config.Config) bool {
	return c.Retriever.Refinements > 0 && (searches(searcher.NameSparse)(c) || searches(searcher.NameDense)(c))
}

// plainly searches what the intents were searched in with the question alone.
func plainly(c *config.Config) {
	c.Retriever.Searchers = []string{searcher.NameBM25}
	if c.Retriever.IntentsOver == config.OverDense {
		c.Retriever.Searchers, c.Retriever.Refinements = []string{searcher.NameDense}, 0
	}
}

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
	// variant is what a changed configuration is called.
	variant string
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
		out = append(out, &system{App: &b, lacks: part.name})
	}
	return out
}

// name says what is measured: the preset, and the part left out of it, or what a
// variant is called.
func (s *system) name() string {
	if s.variant != "" {
		return s.variant
	}
	if s.lacks == "" {
		return s.Config.Strategy.Preset
	}
	return s.Config.Strategy.Preset + " without " + s.lacks
}
