package config

import (
	"testing"
	"time"

	"hopstream/stages/engine/roles"
)

// TestSharesWork holds that work is shared where a model does it, unless said
// otherwise.
func TestSharesWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*Config)
		want bool
	}{
		"the builtin engine": {func(*Config) {}, false},
		"models":             {func(c *Config) { c.Engine = EngineOllama }, true},
		"a model answers":    {func(c *Config) { c.Engines[string(roles.Answerer)] = EngineOllama }, true},
		"a model routes":     {func(c *Config) { c.Engines[string(roles.Router)] = EngineOllama }, false},
		"off":                {func(c *Config) { c.Engine, c.Pipeline.ShareWork = EngineOllama, shareOff }, false},
		"on":                 {func(c *Config) { c.Pipeline.ShareWork = shareOn }, true},
	} {
		got := Default()
		c.set(&got)
		if got.SharesWork() != c.want {
			t.Errorf("%s: %v", name, got.SharesWork())
		}
	}
}

// TestAnswering holds which settings give a sub-query another answer.
func TestAnswering(t *testing.T) {
	t.Parallel()
	base := func() *Config {
		c := Default()
		c.Engine = EngineOllama
		return &c
	}
	model := func(c *Config, set func(*ModelConfig)) {
		m := c.Models[DefaultModel]
		set(&m)
		c.Models = map[string]ModelConfig{DefaultModel: m}
	}
	for name, x := range map[string]struct {
		set   func(*Config)
		other bool
	}{
		"the model":       {func(c *Config) { model(c, func(m *ModelConfig) { m.Name = "other" }) }, true},
		"its temperature": {func(c *Config) { model(c, func(m *ModelConfig) { m.Options = map[string]any{"temperature": 1} }) }, true},
		"its server":      {func(c *Config) { model(c, func(m *ModelConfig) { m.URL = "http://elsewhere:1" }) }, false},
		"its slots":       {func(c *Config) { model(c, func(m *ModelConfig) { m.Concurrency = 1 }) }, false},
		"the engine":      {func(c *Config) { c.Engine = EngineBuiltin }, true},
		"the searchers":   {func(c *Config) { c.Retriever.Searchers = []string{"bm25"} }, true},
		"the filter":      {func(c *Config) { c.Filter.Keep = 9 }, true},
		"the windows":     {func(c *Config) { c.Aligner.Windows = true }, true},
		"the folder":      {func(c *Config) { c.Data = "elsewhere" }, false},
		"the deadline":    {func(c *Config) { c.Pipeline.Deadline = time.Hour }, false},
		"the workers":     {func(c *Config) { c.Stages["router"] = StageConfig{Concurrency: 1} }, false},
	} {
		c := base()
		x.set(c)
		if other := c.Answering() != base().Answering(); other != x.other {
			t.Errorf("%s: another answer: %v", name, other)
		}
	}
}
