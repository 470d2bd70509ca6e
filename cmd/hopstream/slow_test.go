package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// TestModelThatHangs asks, by every preset, a model that takes an hour a call:
// within the question's time there is an answer, which says what was given up.
func TestModelThatHangs(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{Parallel: 100, Latency: sim.Latency{Mean: time.Hour}})
	_, vectors := simulate(t, sim.Options{})
	file := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {url: %q}, embedder: {name: vectors, url: %q}}\n", url, vectors))
	for _, preset := range config.Presets() {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			o := hopstream(t, "", "ask", "--preset", preset, "--config", file, "--docs", cmdtest.Corpus(t), "--json", "--timeout", "8s", "Where was Marie Curie born?").Exits(0)
			for _, a := range o.Answers() {
				given := slices.Clone(a.GaveUp)
				for _, h := range a.Hops {
					given = append(given, h.Degraded...)
				}
				if a.Status != messages.Partial || a.Answer == "" || a.LatencyMS > 8000 || messages.OutOfTime(given) == "" || !strings.Contains(a.Error, messages.NoTime) {
					t.Errorf("%s after %.0f ms: %q (%s), gave up %q", a.Status, a.LatencyMS, a.Answer, a.Error, given)
				}
			}
		})
	}
}
