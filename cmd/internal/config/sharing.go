package config

import (
	"fmt"
	"slices"
	"strings"

	"hopstream/stages/engine/roles"
)

// What pipeline.share_work can be.
const (
	shareAuto = "auto"
	shareOn   = "on"
	shareOff  = "off"
)

// SharesWork reports whether questions that ask the same sub-query share the work
// on it. The builtin engine has answered one before another process could be
// asked for its answer.
func (c *Config) SharesWork() bool {
	switch c.Pipeline.ShareWork {
	case shareOn:
		return true
	case shareOff:
		return false
	}
	return slices.ContainsFunc([]roles.Role{roles.Answerer, roles.Relevance, roles.Summariser}, func(r roles.Role) bool {
		return c.EngineOf(r) == EngineOllama
	})
}

// Answering is the same for configurations which give a sub-query the same
// answer. It is everything but where things are kept, how much is done at once
// and how long it may take.
func (c *Config) Answering() string {
	var b strings.Builder
	for _, r := range roles.Names() {
		if m := c.Model(r); c.EngineOf(r) == EngineOllama {
			fmt.Fprintf(&b, "%s: %s %d %d %v %s\n", r, m.Name, m.MaxTokens, m.ThinkTokens, m.NoFallback, m.Manner())
		}
	}
	of := c.Redacted()
	of.Data, of.NATS, of.Log, of.Pipeline = "", NATSConfig{}, LogConfig{}, PipelineConfig{}
	of.Storage, of.Archive, of.Memory = StorageConfig{}, ArchiveConfig{}, MemoryConfig{}
	of.Engine, of.Engines, of.Models, of.Stages = "", nil, nil, nil
	of.Index.Memory, of.Retriever.Timeout, of.Retriever.MaxBehind, of.Web.PerSecond = false, 0, 0, 0
	fmt.Fprintf(&b, "%+v", of)
	return b.String()
}
