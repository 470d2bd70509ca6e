package config

import (
	"slices"
	"strings"
	"testing"

	"hopstream/stages"
	"hopstream/stages/engine/roles"
)

// TestModelsOfPresets holds that under each preset the models of those roles are
// opened, and checked, that it asks: here every role has a model of its own.
func TestModelsOfPresets(t *testing.T) {
	t.Parallel()
	var models strings.Builder
	for _, r := range roles.Names() {
		models.WriteString("  " + string(r) + ": {name: of-" + string(r) + "}\n")
	}
	for preset, want := range map[string][]roles.Role{
		DefaultPreset: {roles.Router, roles.Decomposer, roles.Refiner, roles.Planner, roles.Reviser, roles.Relevance,
			roles.Answerer, roles.Synthesis, roles.Direct, roles.Judge},
		"hanrag":  {roles.Router, roles.Decomposer, roles.Refiner, roles.Relevance, roles.Answerer, roles.Synthesis, roles.Direct, roles.Judge},
		"mga-rag": {roles.Planner, roles.Reviser, roles.Embedder, roles.ScaleAnswerer, roles.Fusion, roles.Synthesis},
		"levelrag": {roles.Atomiser, roles.Supplementer, roles.Keywords, roles.Refinement, roles.Verifier, roles.PseudoDocument,
			roles.Embedder, roles.Summariser, roles.Synthesis, roles.Completeness},
		"muisqa": {roles.Hypothesiser, roles.Statements, roles.Embedder, roles.Answerer},
	} {
		c := presetWith(t, preset, "engine: ollama\nmodels:\n"+models.String())
		table := stages.Pipeline()
		got := c.WithOwnStrategies(table, c.ModelRoles(table))
		for _, r := range roles.Names() {
			if slices.Contains(got, r) != slices.Contains(want, r) {
				t.Errorf("%s, model of the %s: opened %v", preset, r, !slices.Contains(want, r))
			}
		}
	}
}

// TestOneModelServesOwnClasses holds that where all roles share a model, questions
// with a class of their own are answered by it too.
func TestOneModelServesOwnClasses(t *testing.T) {
	t.Parallel()
	c := presetWith(t, "muisqa", "engine: ollama\nmodels: {embedder: {name: bge-m3}}\n")
	table := stages.Pipeline()
	got := c.WithOwnStrategies(table, c.ModelRoles(table))
	for _, r := range []roles.Role{roles.Planner, roles.Decomposer, roles.Refiner, roles.Synthesis, roles.Direct, roles.Judge} {
		if !slices.Contains(got, r) {
			t.Errorf("%s is left to the builtin engine", r)
		}
	}
}
