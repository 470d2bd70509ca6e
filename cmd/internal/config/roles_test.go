package config

import (
	"slices"
	"testing"

	"hopstream/stages/engine/ollama"
)

// TestRolesOfStages holds which roles the stages ask as they are configured,
// and that no role but that of evaluation is asked by none.
func TestRolesOfStages(t *testing.T) {
	t.Parallel()
	asked := map[ollama.Role]bool{}
	for _, x := range []struct {
		stage string
		set   func(*Config)
		want  []ollama.Role
	}{
		{"decomposer", func(*Config) {}, []ollama.Role{ollama.Decomposer, ollama.Refiner, ollama.Planner, ollama.Reviser}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "refine" }, []ollama.Role{ollama.Decomposer, ollama.Refiner}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "plan" }, []ollama.Role{ollama.Decomposer, ollama.Refiner, ollama.Planner, ollama.Reviser}},
		{"decomposer", func(c *Config) { c.Strategy.Complex, c.Decomposer.NoReviser = "plan", true }, []ollama.Role{ollama.Decomposer, ollama.Refiner, ollama.Planner}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "supplement" }, []ollama.Role{ollama.Decomposer, ollama.Refiner, ollama.Supplementer}},
		{"generator", func(*Config) {}, []ollama.Role{ollama.Answerer, ollama.Synthesis, ollama.Direct}},
		{"generator", func(c *Config) { c.Aligner.Off = false }, []ollama.Role{ollama.ScaleAnswerer, ollama.Fusion, ollama.Synthesis, ollama.Direct}},
		{"generator", func(c *Config) { c.Strategy.Complex, c.Generator.Escalate = "supplement", "judged" },
			[]ollama.Role{ollama.Answerer, ollama.Synthesis, ollama.Direct, ollama.Summariser, ollama.Judge}},
		{"retriever", func(c *Config) { c.Retriever.Searchers = []string{SearchBM25} }, nil},
		{"retriever", func(c *Config) { c.Retriever.Searchers = []string{SearchSparse, SearchDense, SearchIntents} },
			[]ollama.Role{ollama.Keywords, ollama.Refinement, ollama.Verifier, ollama.Embedder, ollama.PseudoDocument, ollama.Hypothesiser}},
		{"router", func(*Config) {}, []ollama.Role{ollama.Router}},
		{"filter", func(*Config) {}, []ollama.Role{ollama.Relevance}},
		{"aligner", func(*Config) {}, nil},
		{"aligner", func(c *Config) { c.Aligner.Off = false }, []ollama.Role{ollama.Embedder}},
		{"judge", func(*Config) {}, []ollama.Role{ollama.Judge}},
		{"aggregator", func(*Config) {}, nil},
	} {
		c := Default()
		x.set(&c)
		got := c.rolesOf(x.stage)
		if !slices.Equal(got, x.want) {
			t.Errorf("%s asks %v, want %v", x.stage, got, x.want)
		}
		for _, r := range got {
			asked[r] = true
		}
	}
	for _, r := range ollama.Roles() {
		if asked[r] == (r == ollama.Equivalence) {
			t.Errorf("%s asked: %v", r, asked[r])
		}
	}
}
