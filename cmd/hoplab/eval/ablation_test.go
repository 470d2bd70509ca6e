package eval

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// TestEveryPartCanBeLeftOut holds that each ablation is a change of the
// configuration that takes away what it says is there.
func TestEveryPartCanBeLeftOut(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, preset := range config.Presets() {
		for _, strategy := range messages.Strategies() {
			cfg := presetConfig(t, preset)
			cfg.Strategy.Complex = string(strategy)
			whole := &system{App: &cli.App{Config: cfg}}
			for i, b := range whole.without(Ablations()) {
				if i == 0 {
					continue
				}
				seen = append(seen, b.lacks)
				part := ablations[slices.IndexFunc(ablations, func(a ablation) bool { return a.name == b.lacks })]
				before, after := mustJSON(t, whole.Config), mustJSON(t, b.Config)
				if before == after || b.name() != preset+" without "+b.lacks {
					t.Errorf("%s by %s: nothing is left out of %s", preset, strategy, b.name())
				}
				if !slices.Contains([]string{"judge", "refiner", "reviser", "fusion", "supplement"}, part.name) && part.has(&b.Config) {
					t.Errorf("%s still has it", b.name())
				}
			}
			if whole.name() != preset {
				t.Errorf("%s lacks %q", whole.name(), whole.lacks)
			}
		}
	}
	for _, part := range ablations {
		if !slices.Contains(seen, part.name) {
			t.Errorf("no system has %s", part.name)
		}
	}
}

// presetConfig is what a preset sets, with nothing set by a user.
func presetConfig(t *testing.T, name string) config.Config {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Set("config", cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\n")); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(flags, name)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
