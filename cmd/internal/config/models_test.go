package config

import (
	"math"
	"testing"
	"time"

	"hopstream/stages"
)

// TestFillInOfStages holds that a stage which asks a model holds more messages
// than the model has slots, the router those of a bulk run, and that its time is
// the question's; other stages have the table's.
func TestFillInOfStages(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Engine = EngineOllama
	m := c.Models[DefaultModel]
	m.Concurrency, m.Timeout = 100, time.Second
	c.Models[DefaultModel] = m
	c.Stages["judge"] = StageConfig{Concurrency: 3, Timeout: time.Minute}
	c.FillIn()
	for _, row := range stages.Pipeline() {
		s := c.Stages[row.Name]
		concurrency, timeout := row.Concurrency, row.Timeout
		switch row.Name {
		case "router":
			concurrency, timeout = questionsInSight, c.Pipeline.Retention
		case "decomposer", "filter", "generator":
			concurrency, timeout = 400, c.Pipeline.Retention
		case "judge": // as it was set
			concurrency, timeout = 3, time.Minute
		}
		if s.Concurrency != concurrency || s.Timeout != timeout {
			t.Errorf("%s: %d messages for %v, want %d for %v", row.Name, s.Concurrency, s.Timeout, concurrency, timeout)
		}
	}
}

// TestPrices holds that a role's model costs what default's does unless it has a
// price of its own, and that no price is below 0.
func TestPrices(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Engine = EngineOllama
	d := c.Models[DefaultModel]
	d.Price = ModelPrice{Input: 0.5, Output: 1.5}
	c.Models[DefaultModel] = d
	c.Models["judge"] = ModelConfig{Price: ModelPrice{Output: 3}}
	c.FillIn()
	if got := c.Model("router").Price; got != d.Price {
		t.Errorf("router: %+v", got)
	}
	if got := c.Model("judge").Price; got != (ModelPrice{Output: 3}) {
		t.Errorf("judge: %+v", got)
	}
	for price, wrong := range map[ModelPrice]bool{{}: false, {Input: 1e3}: false, {Input: -1}: true, {Output: -0.1}: true, {Input: math.NaN()}: true} {
		m, said := c.Model("router"), false
		m.Price = price
		m.validate(func(string, ...any) { said = true })
		if said != wrong {
			t.Errorf("%+v: refused %v", price, said)
		}
	}
}
