package config

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hopstream/index/searcher"
	"hopstream/stages/engine/roles"
)

// RetrieverConfig says how passages are searched for.
type RetrieverConfig struct {
	TopK      int           `koanf:"top_k" about:"Passages of a sub-query."`
	Searchers []string      `koanf:"searchers" about:"Searchers asked side by side, fused by reciprocal rank."`
	Depth     int           `koanf:"depth" about:"Passages asked of each of several searchers, and of each of several queries."`
	Timeout   time.Duration `koanf:"timeout" about:"Time for each searcher, at most; 0: as the question's time allows."`
	// Refinements are how many operators the sparse searcher tries one after
	// the other, and pseudo-documents the dense one writes; both only while
	// what was found does not suffice.
	Refinements int `koanf:"refinements" about:"Operators that the sparse searcher tries, and pseudo-documents that the dense one writes, at most, while what was found does not suffice."`
	// Verifications bound how often the sparse searcher asks whether it does.
	Verifications int `koanf:"verifications" about:"How often the sparse searcher asks whether it suffices, at most."`
	// IntentsOver is what the searcher intents searches with each of its queries.
	IntentsOver string `koanf:"intents_over" about:"What the searcher intents searches with each of its queries: by words, or by vectors without rewriting (dense)."`
	// MaxBehind is how many of the documents stored before a question an index may
	// lack to answer it: 0, unless documents change all the time.
	MaxBehind uint64 `koanf:"max_behind" about:"Documents stored before a question that the index may lack to answer it; 0, unless documents change all the time."`
}

func retrieverDefaults() RetrieverConfig {
	return RetrieverConfig{
		TopK: 10, Searchers: []string{searcher.NameLinks}, Depth: 20,
		Refinements: 1, Verifications: 10, IntentsOver: OverWords,
	}
}

// What the searcher intents can search.
const (
	OverWords = "words"
	OverDense = "dense"
)

// Wait is how long people wait for a search without a question.
func (r *RetrieverConfig) Wait() time.Duration { return cmp.Or(r.Timeout, 30*time.Second) }

// WebConfig is the web searcher's: SearXNG's JSON API.
type WebConfig struct {
	URL       string   `koanf:"url" about:"URL of the server."`
	Engines   []string `koanf:"engines" about:"The search engines that it asks; empty: its own choice."`
	Language  string   `koanf:"language" about:"Language of the results, such as en; empty: its own choice."`
	PerSecond float64  `koanf:"per_second" about:"Searches per second, at most."`
}

func (c *Config) validateSearch(bad func(string, ...any)) {
	r := &c.Retriever
	if len(r.Searchers) == 0 {
		bad("retriever.searchers: choose from %v", searcher.Names())
	}
	for i, name := range r.Searchers {
		row, ok := searcher.Lookup(name)
		switch {
		case !ok:
			bad("retriever.searchers: there is no %q: choose from %v", name, searcher.Names())
		case row.Has(searcher.Web) && c.Web.URL == "":
			bad("retriever.searchers has %s: set web.url to a SearXNG server", name)
		}
		if slices.Contains(r.Searchers[:i], name) {
			bad("retriever.searchers: %s is there twice", name)
		}
	}
	c.validateBounds(bad)
	c.validateEmbedder(bad)
	c.validateStore(bad)
}

// validateBounds says what is wrong with how much is searched for, and how long.
func (c *Config) validateBounds(bad func(string, ...any)) {
	r := &c.Retriever
	if r.TopK < 1 || r.TopK > 100 || r.Depth < 1 || r.Depth > 1000 {
		bad("retriever.top_k is between 1 and 100, retriever.depth between 1 and 1,000")
	}
	if n := len(r.Searchers); r.Depth*n < r.TopK {
		bad("retriever.top_k %d is more than what %d searchers find together, retriever.depth %d each", r.TopK, n, r.Depth)
	}
	if r.IntentsOver != OverWords && r.IntentsOver != OverDense {
		bad("retriever.intents_over %q: choose %s or %s", r.IntentsOver, OverWords, OverDense)
	}
	if r.Timeout != 0 && r.Timeout < 10*time.Millisecond {
		bad("retriever.timeout: at least 10ms, or 0 for as long as the question's time allows")
	}
	if r.Refinements < 0 || r.Refinements > 3 || r.Verifications < 0 || r.Verifications > 28 {
		bad("retriever.refinements is between 0 and 3, retriever.verifications between 0 and 28")
	}
}

// validateEmbedder says that vectors are searched and nobody is named who makes
// them. The builtin engine's hash words: whoever means them says so.
func (c *Config) validateEmbedder(bad func(string, ...any)) {
	if !c.WantsVectors() || c.Engines[string(roles.Embedder)] != "" || c.EngineOf(roles.Embedder) != EngineBuiltin {
		return
	}
	who := "retriever.searchers " + strings.Join(c.Retriever.Searchers, ", ")
	if c.overDense() {
		who += " with retriever.intents_over " + OverDense
	}
	bad("%s: nobody is named who makes vectors: name a model for embeddings (models.embedder.name, such as bge-m3, with engine or engines.embedder %s), or set engines.embedder to %s if hashed words are meant",
		who, EngineOllama, EngineBuiltin)
}

// overDense reports whether the searcher intents searches vectors.
func (c *Config) overDense() bool {
	return c.Retriever.IntentsOver == OverDense && slices.Contains(c.Retriever.Searchers, searcher.NameIntents)
}

// ReadsDocuments reports whether a configured searcher has an index of the
// documents; the web has not.
func (c *Config) ReadsDocuments() bool {
	return slices.ContainsFunc(c.Retriever.Searchers, func(name string) bool {
		row, _ := searcher.Lookup(name)
		return row.ReadsDocuments()
	})
}
