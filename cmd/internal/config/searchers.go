package config

import (
	"slices"
	"time"

	"hopstream/index/searcher"
)

// RetrieverConfig says how passages are searched for.
type RetrieverConfig struct {
	TopK      int           `koanf:"top_k" about:"Passages of a sub-query."`
	Searchers []string      `koanf:"searchers" about:"Searchers asked side by side, fused by reciprocal rank."`
	Depth     int           `koanf:"depth" about:"Passages asked of each searcher."`
	Timeout   time.Duration `koanf:"timeout" about:"Time for each searcher."`
	// Refinements are how many operators the sparse searcher tries one after
	// the other, and pseudo-documents the dense one writes; both only while
	// what was found does not suffice.
	Refinements int `koanf:"refinements" about:"Operators that the sparse searcher tries, and pseudo-documents that the dense one writes, at most, while what was found does not suffice."`
	// Verifications bound how often the sparse searcher asks whether it does.
	Verifications int `koanf:"verifications" about:"How often the sparse searcher asks whether it suffices, at most."`
	// MaxBehind is how many of the documents stored before a question an index may
	// lack to answer it: 0, unless documents change all the time.
	MaxBehind uint64 `koanf:"max_behind" about:"Documents stored before a question that the index may lack to answer it; 0, unless documents change all the time."`
}

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
		case row.Has(searcher.WordIndex) && c.Index.Store == StoreWeaviate:
			bad("retriever.searchers has %s, which searches the word index: index.store weaviate has none", name)
		case row.Has(searcher.Web) && c.Web.URL == "":
			bad("retriever.searchers has %s: set web.url to a SearXNG server", name)
		}
		if slices.Contains(r.Searchers[:i], name) {
			bad("retriever.searchers: %s is there twice", name)
		}
	}
	if r.TopK < 1 || r.TopK > 100 || r.Depth < r.TopK || r.Depth > 1000 {
		bad("retriever.top_k is between 1 and 100, retriever.depth between it and 1,000")
	}
	if r.Timeout < 10*time.Millisecond {
		bad("retriever.timeout: at least 10ms")
	}
	if r.Refinements < 0 || r.Refinements > 3 || r.Verifications < 0 || r.Verifications > 28 {
		bad("retriever.refinements is between 0 and 3, retriever.verifications between 0 and 28")
	}
	c.validateStore(bad)
}

// ReadsDocuments reports whether a configured searcher has an index of the
// documents; the web has not.
func (c *Config) ReadsDocuments() bool {
	return slices.ContainsFunc(c.Retriever.Searchers, func(name string) bool {
		row, _ := searcher.Lookup(name)
		return row.ReadsDocuments()
	})
}
