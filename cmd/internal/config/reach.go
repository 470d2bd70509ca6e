package config

import (
	"slices"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
)

// reaches reports whether a stage that asks a role comes to ask it: whether
// questions of the classes that there are get there, and what asks is not off.
func (c *Config) reaches(stage string, r roles.Role) bool {
	if stage == "retriever" && !c.searchersAsk(r) || stage == "judge" && c.Judge.Off || stage == "filter" && c.Filter.Off {
		return false
	}
	if r == roles.Router {
		return c.Router.Force == ""
	}
	asked := c.classesOf(stage, r)
	return slices.ContainsFunc(c.classes(), func(class messages.Class) bool { return slices.Contains(asked, class) })
}

// classesOf are the classes of questions that a role is asked for.
func (c *Config) classesOf(stage string, r roles.Role) []messages.Class {
	searched := []messages.Class{messages.Single, messages.Compound, messages.Complex}
	switch r {
	case roles.Decomposer:
		return []messages.Class{messages.Compound}
	case roles.Refiner, roles.Planner, roles.Reviser, roles.Atomiser, roles.Supplementer, roles.Summariser, roles.Completeness:
		return []messages.Class{messages.Complex}
	case roles.Judge:
		if stage == "generator" {
			return []messages.Class{messages.Single}
		}
		return []messages.Class{messages.Complex}
	case roles.Synthesis:
		return []messages.Class{messages.Compound, messages.Complex}
	case roles.Answerer, roles.ScaleAnswerer:
		if c.Strategy.Complex == string(messages.Supplement) { // which summarises
			return []messages.Class{messages.Single, messages.Compound}
		}
	case roles.Direct:
		set := c.setting()
		switch {
		case c.unsourced():
			return messages.Classes()
		case set.JudgeFirst:
			return []messages.Class{messages.Straightforward, messages.Complex}
		}
		return []messages.Class{messages.Straightforward}
	}
	return searched
}

// searchersAsk reports whether the searchers ask one of their roles as often as they
// may.
func (c *Config) searchersAsk(r roles.Role) bool {
	refines := c.Retriever.Refinements > 0
	switch r {
	case roles.PseudoDocument, roles.Refinement:
		return refines
	case roles.Verifier: // the sparse searcher asks even if it may not refine
		return refines || slices.Contains(c.Retriever.Searchers, searcher.NameSparse) && c.Retriever.Verifications > 0
	}
	return true
}

// classes are those that questions which come without one can be of, on the way
// through the stages.
func (c *Config) classes() []messages.Class {
	class, goesOn := messages.Class(c.Router.Force), c.Generator.Escalate != string(generator.EscalateNever)
	switch {
	case class == "":
		return messages.Classes()
	case class == messages.Single && goesOn:
		return []messages.Class{messages.Single, messages.Complex}
	case class == messages.Complex && !c.Decomposer.NoReduce, class == messages.Straightforward && goesOn:
		return []messages.Class{class, messages.Single}
	}
	return []messages.Class{class}
}

// unsourced reports whether sub-queries without relevant passages are answered
// from what the model knows.
func (c *Config) unsourced() bool {
	return !c.Filter.Off && filter.Fallback(c.Filter.IfNone) == filter.IfNoneDirect
}
