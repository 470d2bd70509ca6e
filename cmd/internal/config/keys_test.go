package config

import (
	"fmt"
	"strings"
	"testing"

	"hopstream/stages/engine/roles"
)

// TestKeyFiles holds that a role's key stands in one place, its own before default's,
// and goes to no other server than its own.
func TestKeyFiles(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Models[DefaultModel] = ModelConfig{API: APIOpenAI, URL: "http://one", APIKeyFile: "one.key"}
	c.Models["judge"] = ModelConfig{APIKey: "own"}
	c.Models["router"] = ModelConfig{API: apiOllama}
	c.FillIn()
	for role, want := range map[roles.Role][2]string{roles.Decomposer: {"", "one.key"}, roles.Judge: {"own", ""}, roles.Router: {"", ""}} {
		if m := c.Model(role); [2]string{m.APIKey, m.APIKeyFile} != want {
			t.Errorf("%s has key %q, file %q; want %q", role, m.APIKey, m.APIKeyFile, want)
		}
	}
	for _, one := range []struct {
		model ModelConfig
		wrong string
	}{
		{ModelConfig{API: APIOpenAI, APIKey: "k", APIKeyFile: "f"}, "not both"},
		{ModelConfig{API: apiOllama, APIKeyFile: "f"}, "only an openai server"},
		{ModelConfig{API: APIOpenAI, APIKeyFile: "f"}, ""},
	} {
		m := one.model.or(modelDefaults())
		m.URL = "http://one"
		var said strings.Builder
		m.validate(func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) })
		if one.wrong == "" && said.Len() > 0 || !strings.Contains(said.String(), one.wrong) {
			t.Errorf("%+v: %q, want %q", one.model, said.String(), one.wrong)
		}
	}
	w := WeaviateConfig{URL: "http://one", APIKey: "k", APIKeyFile: "f"}
	var said strings.Builder
	w.validate(false, func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) })
	if !strings.Contains(said.String(), "not both") {
		t.Errorf("weaviate: %q", said.String())
	}
}
