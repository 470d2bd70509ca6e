package config

import (
	"reflect"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"hopstream/messages"
)

// TestPresets holds what the papers' systems are made of.
func TestPresets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		force, complex string
		searchers      []string
		scales         int // 0: answered from whole passages
		filtered       bool
	}{
		"hanrag":   {"", "refine", []string{"bm25"}, 0, true},
		"mga-rag":  {"complex", "plan", []string{"bm25"}, 3, false},
		"levelrag": {"complex", "supplement", []string{"sparse", "dense"}, 0, false},
		"muisqa":   {"single", "plan", []string{"intents"}, 0, false},
	} {
		cfg := presetDefaults(t, name)
		scales := len(cfg.Aligner.Scales)
		if !cfg.Aligner.Windows {
			scales = 0
		}
		complex := cfg.Strategy.Complex
		if c.force == string(messages.Single) {
			complex = c.complex // never met
		}
		if cfg.Router.Force != c.force || complex != c.complex || !slices.Equal(cfg.Retriever.Searchers, c.searchers) || scales != c.scales || cfg.Filter.Off == c.filtered {
			t.Errorf("%s: %+v", name, cfg)
		}
	}
	whole := presetDefaults(t, DefaultPreset)
	if d := Default(); !reflect.DeepEqual(d.Strategy, whole.Strategy) || !reflect.DeepEqual(d.Retriever, whole.Retriever) {
		t.Error("the default preset is not the default configuration")
	}
}

// presetDefaults is what a preset sets, with nothing set by a user.
func presetDefaults(t *testing.T, name string) Config {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	AddFlags(flags)
	cfg, err := Load(flags, name)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
