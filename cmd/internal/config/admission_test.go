package config

import (
	"strings"
	"testing"
)

// TestAdmission holds which bounds of the window are refused, and what the least is
// where nothing is set.
func TestAdmission(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		least, most int
		bad         bool
	}{
		{0, 4096, false}, {1, 1, false}, {0, 1, false}, {8, 8, false}, {500, 4096, false},
		{-1, 4096, true}, {0, 0, true}, {0, -1, true}, {9, 8, true},
	} {
		one := Default()
		one.Admission.LeastWindow, one.Admission.MostWindow = c.least, c.most
		var errs []string
		one.validateLimits(func(format string, _ ...any) { errs = append(errs, format) })
		if said := strings.Join(errs, " "); c.bad != strings.Contains(said, "admission.most_window") {
			t.Errorf("%d to %d: %q, want it refused: %v", c.least, c.most, said, c.bad)
		}
	}
	for _, c := range []struct {
		engine            string
		slots             int
		least, most, want int
	}{
		{"builtin", 0, 0, 4096, 128}, {"builtin", 0, 0, 10, 10}, {"builtin", 0, 7, 4096, 7},
		{EngineOllama, 4, 0, 4096, 64}, {EngineOllama, 100, 0, 4096, 400}, {EngineOllama, 100, 7, 4096, 7},
	} {
		one := Default()
		one.Engine, one.Admission.LeastWindow, one.Admission.MostWindow = c.engine, c.least, c.most
		m := one.Models[DefaultModel]
		m.Concurrency = c.slots
		one.Models[DefaultModel] = m
		one.FillIn()
		if got := one.Admission.LeastWindow; got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
