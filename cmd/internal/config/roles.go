package config

import (
	"slices"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/generator"
)

// setting returns the part of the configuration that decides which roles are
// asked.
func (c *Config) setting() roles.Setting {
	return roles.Setting{
		Strategy: messages.Strategy(c.Strategy.Complex), NoReviser: c.Decomposer.NoReviser, Aligned: c.Aligner.Windows && !c.Aligner.Off,
		Escalates: c.judgesSingles(), Searchers: c.Retriever.Searchers,
	}
}

// rolesOf are the roles that a stage asks as it is configured.
func (c *Config) rolesOf(stage string) []roles.Role { return roles.AskedBy(stage, c.setting()) }

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

// EngineOf returns the engine of a role. Embeddings are made by the builtin engine
// unless a model is named for them: a chat model's embeddings are poor, and a
// model for embeddings cannot be assumed to be on the server.
func (c *Config) EngineOf(r roles.Role) string {
	if e := c.Engines[string(r)]; e != "" {
		return e
	}
	if _, named := c.Models[string(r)]; r == roles.Embedder && !named {
		return EngineBuiltin
	}
	return c.Engine
}

// ModelRoles returns the roles that the given stages ask a model for.
func (c *Config) ModelRoles(table []stages.Stage) []roles.Role {
	var out []roles.Role
	for _, s := range table {
		for _, r := range c.rolesOf(s.Name) {
			if c.EngineOf(r) == EngineOllama {
				out = append(out, r)
			}
		}
	}
	return out
}

// WithOwnStrategies adds the roles that are asked only for questions that come
// with another strategy than the configured one. A role is added if its model is
// needed anyway; the builtin engine answers for the others.
func (c *Config) WithOwnStrategies(table []stages.Stage, asked []roles.Role) []roles.Role {
	there := map[string]bool{}
	for _, r := range asked {
		m := c.Model(r)
		there[m.String()] = true
	}
	out := slices.Clone(asked)
	for _, s := range table {
		for _, r := range roles.OfStrategies(s.Name) {
			m := c.Model(r)
			if c.EngineOf(r) == EngineOllama && there[m.String()] && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
