package config

import (
	"slices"
	"testing"

	"hopstream/index/searcher"
	"hopstream/stages/engine/roles"
)

// TestRolesOfStages holds which roles the stages ask as they are configured,
// and that no role but that of evaluation is asked by none.
func TestRolesOfStages(t *testing.T) {
	t.Parallel()
	asked := map[roles.Role]bool{}
	for _, x := range []struct {
		stage string
		set   func(*Config)
		want  []roles.Role
	}{
		{"decomposer", func(*Config) {}, []roles.Role{roles.Decomposer, roles.Refiner, roles.Planner, roles.Reviser}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "refine" }, []roles.Role{roles.Decomposer, roles.Refiner}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "plan" }, []roles.Role{roles.Decomposer, roles.Refiner, roles.Planner, roles.Reviser}},
		{"decomposer", func(c *Config) { c.Strategy.Complex, c.Decomposer.NoReviser = "plan", true }, []roles.Role{roles.Decomposer, roles.Refiner, roles.Planner}},
		{"decomposer", func(c *Config) { c.Strategy.Complex = "supplement" }, []roles.Role{roles.Decomposer, roles.Atomiser, roles.Supplementer}},
		{"decomposer", func(c *Config) { c.Strategy.Complex, c.Decomposer.NoRepair = "plan", true }, []roles.Role{roles.Decomposer, roles.Planner, roles.Reviser}},
		{"decomposer", func(c *Config) { c.Strategy.Complex, c.Judge.First = "refine", true }, []roles.Role{roles.Decomposer, roles.Refiner, roles.Judge}},
		{"decomposer", func(c *Config) { c.Strategy.Complex, c.Judge.First, c.Judge.Off = "refine", true, true }, []roles.Role{roles.Decomposer, roles.Refiner}},
		{"generator", func(*Config) {}, []roles.Role{roles.Answerer, roles.Synthesis, roles.Direct}},
		{"generator", func(c *Config) { c.Aligner.Windows = true }, []roles.Role{roles.ScaleAnswerer, roles.Fusion, roles.Synthesis, roles.Direct}},
		{"generator", func(c *Config) { c.Strategy.Complex, c.Generator.Escalate = "supplement", "judged" },
			[]roles.Role{roles.Answerer, roles.Summariser, roles.Synthesis, roles.Direct, roles.Judge}},
		{"retriever", func(c *Config) { c.Retriever.Searchers = []string{searcher.NameBM25} }, nil},
		{"retriever", func(c *Config) {
			c.Retriever.Searchers = []string{searcher.NameSparse, searcher.NameDense, searcher.NameIntents}
		},
			[]roles.Role{roles.Keywords, roles.Refinement, roles.Verifier, roles.PseudoDocument, roles.Hypothesiser, roles.Statements, roles.Embedder}},
		{"retriever", func(c *Config) {
			c.Retriever.Searchers, c.Retriever.IntentsOver = []string{searcher.NameIntents}, OverDense
		}, []roles.Role{roles.Hypothesiser, roles.Statements, roles.Embedder}},
		{"router", func(*Config) {}, []roles.Role{roles.Router}},
		{"filter", func(*Config) {}, []roles.Role{roles.Relevance}},
		{"aligner", func(*Config) {}, nil},
		{"aligner", func(c *Config) { c.Aligner.Windows = true }, []roles.Role{roles.Embedder}},
		{"judge", func(*Config) {}, []roles.Role{roles.Judge}},
		{"judge", func(c *Config) { c.Strategy.Complex = "supplement" }, []roles.Role{roles.Completeness}},
		{"judge", func(c *Config) { c.Judge.Off = true }, nil},
		{"filter", func(c *Config) { c.Filter.Off = true }, nil},
		{"router", func(c *Config) { c.Router.Force = "complex" }, nil},
		{"decomposer", func(c *Config) { c.Router.Force, c.Generator.Escalate = "single", "never" }, nil},
		{"decomposer", func(c *Config) { c.Router.Force = "single" }, []roles.Role{roles.Refiner, roles.Planner, roles.Reviser}},
		{"aggregator", func(*Config) {}, nil},
	} {
		c := Default()
		x.set(&c)
		got := c.rolesOf(x.stage)
		if len(got)+len(x.want) > 0 && !slices.Equal(got, x.want) {
			t.Errorf("%s asks %v, want %v", x.stage, got, x.want)
		}
		for _, r := range got {
			asked[r] = true
		}
	}
	for _, r := range roles.Names() {
		if asked[r] == (r == roles.Equivalence) {
			t.Errorf("%s asked: %v", r, asked[r])
		}
	}
}

// TestRolesOfSearchers holds that the table of searchers and the table of roles
// say the same of who asks whom.
func TestRolesOfSearchers(t *testing.T) {
	t.Parallel()
	for _, row := range searcher.Table() {
		c := Default()
		c.Retriever.Searchers = []string{row.Name}
		var want []string
		for _, r := range c.rolesOf("retriever") {
			want = append(want, string(r))
		}
		got := slices.Sorted(slices.Values(row.Roles))
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("searcher %s asks %v, and the roles say %v", row.Name, got, want)
		}
	}
}
