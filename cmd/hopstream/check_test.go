package main

import (
	"strings"
	"testing"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/stages/engine/roles"
)

// TestCheckAsksForWhatIsUsed holds that config --check wants those models on the
// server that the preset's roles ask, and no others: every role has its own here.
func TestCheckAsksForWhatIsUsed(t *testing.T) {
	t.Parallel()
	var models strings.Builder
	for _, r := range roles.Names() {
		models.WriteString("  " + string(r) + ": {name: of-" + string(r) + "}\n")
	}
	for preset, used := range map[string]string{
		"hopstream": "router decomposer refiner planner reviser relevance answerer synthesis direct judge",
		"hanrag":    "router decomposer refiner relevance answerer synthesis direct judge",
		"mga-rag":   "planner reviser embedder scale_answerer fusion synthesis",
		"levelrag":  "atomiser supplementer keywords refinement verifier pseudo_document embedder summariser synthesis completeness",
		"muisqa":    "hypothesiser statements embedder answerer",
	} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			var there []string
			for _, role := range strings.Fields(used) {
				there = append(there, "of-"+role)
			}
			check := func(there []string) cmdtest.Outcome {
				_, url := simulate(t, sim.Options{Models: there})
				file := cmdtest.TempFile(t, "c.yaml", "engine: ollama\nstrategy: {preset: "+preset+"}\nmodels:\n  default: {name: nobody, url: \""+url+"\"}\n"+models.String())
				return hopstream(t, "", "config", "--check", "--config", file)
			}
			o := check(there).Exits(0)
			if n := strings.Count(o.Out, "of-"); n != len(there) {
				t.Errorf("%d models are asked for, want %d:\n%s", n, len(there), o.Out)
			}
			check(there[1:]).Exits(cli.ExitFail).Says("ollama pull " + there[0])
		})
	}
}
