package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestPresets holds the numbers and rules that the papers state.
func TestPresets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]func(c *Config){
		"hanrag": func(c *Config) {
			c.Strategy.Complex = "refine"
			c.Retriever.Searchers, c.Retriever.TopK = []string{"bm25"}, 10
			c.Filter.Keep, c.Filter.PerPassage, c.Filter.IfNone = 3, true, "direct"
			c.Judge.First, c.Decomposer.NoReduce = true, true
		},
		"mga-rag": func(c *Config) {
			c.Router.Force, c.Strategy.Complex = "complex", "plan"
			c.Decomposer.NoReduce, c.Decomposer.NoRepair = true, true
			c.Retriever.Searchers, c.Retriever.TopK, c.Retriever.Refinements = []string{"dense"}, 5, 0
			c.Index.ChunkSize, c.Filter.Off, c.Filter.Keep = 2048, true, 5
			c.Aligner.Windows, c.Aligner.Plain, c.Aligner.Scales, c.Aligner.TopK = true, true, []int{150, 250, 350}, 10
		},
		"levelrag": func(c *Config) {
			c.Router.Force, c.Strategy.Complex, c.Decomposer.NoReduce = "complex", "supplement", true
			c.Retriever.Searchers, c.Retriever.Depth, c.Retriever.TopK = []string{"sparse", "dense"}, 10, 20
			c.Retriever.Refinements, c.Retriever.Verifications = 3, 28
			c.Filter.Off, c.Filter.Keep = true, 20
		},
		"muisqa": func(c *Config) {
			c.Router.Force = "single"
			c.Retriever.Searchers, c.Retriever.IntentsOver, c.Retriever.TopK, c.Retriever.Depth = []string{"intents"}, "dense", 10, 10
			c.Filter.Off, c.Filter.Keep = true, 10
		},
		DefaultPreset: func(*Config) {},
	} {
		expected := Default()
		if name != DefaultPreset {
			expected.Generator.Escalate = "never"
		}
		expected.Strategy.Preset = name
		want(&expected)
		expected.Engines = map[string]string{"embedder": "builtin"}
		expected.FillIn()
		if got := presetWith(t, name, "engines: {embedder: builtin}"); !reflect.DeepEqual(got, expected) {
			t.Errorf("%s is\n%+v\nwant\n%+v", name, got, expected)
		}
	}
}

// TestLevelRAGSearchesTheWeb where it can, and says so where it cannot, unless the
// user chose the searchers; ten passages of each searcher are kept.
func TestLevelRAGSearchesTheWeb(t *testing.T) {
	t.Parallel()
	const base = "engines: {embedder: builtin}\n"
	for yaml, want := range map[string]struct {
		searchers []string
		notes     int
	}{
		"":                                      {[]string{"sparse", "dense"}, 1},
		"web: {url: \"http://127.0.0.1:8888\"}": {[]string{"sparse", "dense", "web"}, 0},
		"strategy: {retrieval: sparse-refined}": {[]string{"sparse"}, 0},
		"retriever: {searchers: [sparse]}":      {[]string{"sparse"}, 0},
	} {
		c := presetWith(t, "levelrag", base+yaml)
		if n := 10 * len(want.searchers); c.Retriever.TopK != n || c.Filter.Keep != n || c.Retriever.Depth != 10 {
			t.Errorf("%q: %+v", yaml, c.Retriever)
		}
		if !slices.Equal(c.Retriever.Searchers, want.searchers) || len(c.Notes()) != want.notes {
			t.Errorf("%q: %v, %v", yaml, c.Retriever.Searchers, c.Notes())
		}
	}
}

// TestSomebodyMakesVectors holds that what searches vectors wants to be told who
// makes them, and that the hash of words is used where it is asked for.
func TestSomebodyMakesVectors(t *testing.T) {
	t.Parallel()
	const named = "engine: ollama\nmodels: {embedder: {name: bge-m3}}\n"
	for _, c := range []struct {
		yaml string
		fine bool
	}{
		{"strategy: {preset: mga-rag}", false},
		{"strategy: {preset: levelrag}", false},
		{"strategy: {preset: muisqa}", false},
		{"strategy: {preset: hanrag}", true},
		{"strategy: {align: several}", true}, // windows are few, and of passages that were found
		{"strategy: {retrieval: hybrid}", false},
		{"retriever: {searchers: [intents]}", true},
		{"retriever: {searchers: [weaviate]}\nindex: {store: weaviate}\nweaviate: {url: \"http://127.0.0.1:8080\"}", false},
		{"retriever: {searchers: [weaviate]}\nindex: {store: weaviate}\nweaviate: {url: \"http://127.0.0.1:8080\", mode: bm25}", true},
		{"strategy: {preset: mga-rag}\nengine: ollama", false},                     // a chat model is none for embeddings
		{"strategy: {preset: mga-rag}\nmodels: {embedder: {name: bge-m3}}", false}, // nobody asks it
		{"strategy: {preset: mga-rag}\nmodels: {embedder: {name: bge-m3}}\nengines: {embedder: ollama}", true},
		{"strategy: {preset: muisqa}\n" + named, true},
		{"strategy: {preset: muisqa}\nengines: {embedder: builtin}", true},
	} {
		_, err := load(t, c.yaml)
		if c.fine != (err == nil) || err != nil && (!strings.Contains(err.Error(), "models.embedder.name") || !strings.Contains(err.Error(), "engines.embedder to builtin")) {
			t.Errorf("%q: %v", c.yaml, err)
		}
	}
}

// TestDepthOfSeveral holds that searchers together must be able to find top_k.
func TestDepthOfSeveral(t *testing.T) {
	t.Parallel()
	for yaml, fine := range map[string]bool{
		"retriever: {searchers: [bm25, links], depth: 10, top_k: 20}": true,
		"retriever: {searchers: [bm25, links], depth: 10, top_k: 21}": false,
		"retriever: {searchers: [bm25], depth: 10, top_k: 20}":        false,
	} {
		if _, err := load(t, yaml); fine != (err == nil) {
			t.Errorf("%s: %v", yaml, err)
		}
	}
}

// load reads a configuration file.
func load(t *testing.T, yaml string, preset ...string) (Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	AddFlags(flags)
	if err := flags.Set("config", file); err != nil {
		t.Fatal(err)
	}
	return Load(flags, strings.Join(preset, ""))
}

// presetWith is a preset over which a user set what yaml says.
func presetWith(t *testing.T, name, yaml string) Config {
	t.Helper()
	c, err := load(t, yaml, name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
