package main

import (
	"slices"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/ollama"
	"hopstream/stages/generator"
)

// stageRoles are the roles that a stage asks however it is configured.
var stageRoles = map[string][]ollama.Role{
	"router":    {ollama.Router},
	"filter":    {ollama.Relevance},
	"aligner":   {ollama.Embedder},
	"generator": {ollama.Answerer, ollama.ScaleAnswerer, ollama.Fusion, ollama.Synthesis, ollama.Direct},
	"judge":     {ollama.Judge},
	// A question's strategy may be given up for refining.
	"decomposer": {ollama.Decomposer, ollama.Refiner},
}

// rolesOf are the roles that a stage asks as it is configured.
func (c *Config) rolesOf(stage string) []ollama.Role {
	out := slices.Clone(stageRoles[stage])
	add := func(roles ...ollama.Role) {
		for _, r := range roles {
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	strategy := messages.Strategy(c.Strategy.Complex)
	switch stage {
	case "decomposer":
		switch strategy {
		case messages.Planned:
			add(ollama.Planner)
			if !c.Decomposer.NoReviser {
				add(ollama.Reviser)
			}
		case messages.Supplement:
			add(ollama.Supplementer)
		}
	case "retriever":
		for _, name := range c.Retriever.Searchers {
			row, _ := searcher.Lookup(name)
			for _, role := range row.Roles {
				add(ollama.Role(role))
			}
		}
	case "aligner":
		if c.Aligner.Off {
			return nil
		}
	case "generator":
		if c.Aligner.Off { // passages whole: one answer, nothing to fuse
			out = slices.DeleteFunc(out, func(r ollama.Role) bool { return r == ollama.ScaleAnswerer || r == ollama.Fusion })
		} else {
			out = slices.DeleteFunc(out, func(r ollama.Role) bool { return r == ollama.Answerer })
		}
		if strategy == messages.Supplement {
			add(ollama.Summariser)
		}
		if c.judgesSingles() {
			add(ollama.Judge)
		}
	}
	return out
}

// judgesSingles reports whether the generator asks if a single question's
// answer suffices.
func (c *Config) judgesSingles() bool {
	return generator.Escalation(c.Generator.Escalate) == generator.EscalateJudged
}

// asksInTurn is how many replies a stage waits for in turn, at most, while it
// works on one message.
func (c *Config) asksInTurn(stage string) int {
	switch {
	case stage == "decomposer" && c.Strategy.Complex == string(messages.Planned): // plan, revise, repair
		return 3
	case stage == "generator" && c.judgesSingles(): // answer, fuse, judge
		return 3
	}
	return 2
}

// engineOf returns the engine of a role. Embeddings are the builtin engine's
// unless a model is named for them: a chat model's are poor, and a second
// model has to be there.
func (c *Config) engineOf(r ollama.Role) string {
	if e := c.Engines[string(r)]; e != "" {
		return e
	}
	if _, named := c.Models[string(r)]; r == ollama.Embedder && !named {
		return engineBuiltin
	}
	return c.Engine
}

// modelRoles returns the roles that the given stages ask a model for.
func (c *Config) modelRoles(table []stages.Stage) []ollama.Role {
	var out []ollama.Role
	for _, s := range table {
		for _, r := range c.rolesOf(s.Name) {
			if c.engineOf(r) == engineOllama {
				out = append(out, r)
			}
		}
	}
	return out
}

// strategyRoles are the roles that a stage asks for some strategy.
var strategyRoles = map[string][]ollama.Role{
	"decomposer": {ollama.Planner, ollama.Reviser, ollama.Supplementer},
	"generator":  {ollama.Summariser},
}

// withOwnStrategies adds to the roles of the configured strategy those that
// questions with a strategy of their own ask, where a model that has to be
// there anyway serves them; the builtin engine plays the others.
func (c *Config) withOwnStrategies(table []stages.Stage, roles []ollama.Role) []ollama.Role {
	there := map[string]bool{}
	for _, r := range roles {
		m := c.model(r)
		there[m.String()] = true
	}
	out := slices.Clone(roles)
	for _, s := range table {
		for _, r := range strategyRoles[s.Name] {
			m := c.model(r)
			if c.engineOf(r) == engineOllama && there[m.String()] && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
