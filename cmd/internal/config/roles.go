package config

import (
	"slices"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
)

// setting returns the part of the configuration that decides which roles are
// asked.
func (c *Config) setting() roles.Setting {
	return roles.Setting{
		Strategy: messages.Strategy(c.Strategy.Complex), NoReviser: c.Decomposer.NoReviser, NoRepair: c.Decomposer.NoRepair,
		Aligned:    c.Aligner.Windows && !c.Aligner.Off,
		JudgeFirst: c.Judge.First && !c.Judge.Off, Escalates: c.judgesSingles(), Searchers: c.Retriever.Searchers,
		Direct: c.Filter.IfNone == string(filter.IfNoneDirect) && !c.Filter.Off,
	}
}

// rolesOf are the roles that a stage asks as it is configured, of questions that
// come without a class of their own.
func (c *Config) rolesOf(stage string) []roles.Role {
	all := c.rolesOfAnyClass(stage)
	return slices.DeleteFunc(all, func(r roles.Role) bool { return !c.reaches(stage, r) })
}

// rolesOfAnyClass are the roles that a stage asks as it is configured, whatever the
// questions' classes.
func (c *Config) rolesOfAnyClass(stage string) []roles.Role {
	all := roles.AskedBy(stage, c.setting())
	if stage == "retriever" && c.overDense() && !slices.Contains(all, roles.Embedder) {
		all = append(all, roles.Embedder)
	}
	return all
}

// judgesSingles reports whether the generator asks if a single question's
// answer suffices.
func (c *Config) judgesSingles() bool {
	return generator.Escalation(c.Generator.Escalate) == generator.EscalateJudged
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
// with another strategy than the configured one, or with a class of their own. A role is added if its model is
// needed anyway; the builtin engine answers for the others.
func (c *Config) WithOwnStrategies(table []stages.Stage, asked []roles.Role) []roles.Role {
	there := map[string]bool{}
	for _, r := range asked {
		m := c.Model(r)
		there[m.String()] = true
	}
	out := slices.Clone(asked)
	for _, s := range table {
		for _, r := range slices.Concat(roles.OfStrategies(s.Name, c.setting()), c.rolesOfAnyClass(s.Name)) {
			m := c.Model(r)
			if c.EngineOf(r) == EngineOllama && there[m.String()] && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// autoConfidence leaves the least confidence of an answer to the engine.
const autoConfidence = -1

// builtinConfidence is the least confidence with which the built-in engine
// answers. hoplab's README has what other values cost.
const builtinConfidence = 0.16

// BuiltinConfig is about the engine that needs no model.
type BuiltinConfig struct {
	Weights string `koanf:"weights" about:"Folder of weights that hoplab train wrote; empty: those that the program was built with."`
}

// MinConfidence is the confidence below which an answer is not given.
func (c *Config) MinConfidence() float64 {
	switch {
	case c.Answer.MinConfidence != autoConfidence:
		return c.Answer.MinConfidence
	case c.EngineOf(roles.Answerer) == EngineBuiltin:
		return builtinConfidence
	}
	return 0
}
