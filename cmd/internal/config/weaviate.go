package config

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"hopstream/index/searcher"
	"hopstream/index/weaviate"
)

// The stores that can be configured.
const (
	storeBleve    = "bleve"    // embedded, one in every process
	StoreWeaviate = "weaviate" // a server, one for all
)

// WeaviateConfig says which server holds the passages, and how its own
// searcher searches.
type WeaviateConfig struct {
	URL    string `koanf:"url" about:"URL of the server."`
	APIKey string `koanf:"api_key" about:"Key of the server. It is never printed."`
	// APIKeyFile is read for each request.
	APIKeyFile string        `koanf:"api_key_file" about:"File with the key of the server, instead of api_key. It is read for each request, so that it can be replaced."`
	Class      string        `koanf:"class" about:"Class of the passages; empty: by nats.prefix."`
	Mode       string        `koanf:"mode" about:"How the searcher weaviate searches: hybrid, bm25 or vector."`
	Alpha      float64       `koanf:"alpha" about:"hybrid: the weight of meaning against words, 0 to 1."`
	CAFile     string        `koanf:"ca_file" about:"Certificates to trust, a PEM file; empty: the system's."`
	Timeout    time.Duration `koanf:"timeout" about:"Time for one request."`
}

func weaviateDefaults() WeaviateConfig {
	return WeaviateConfig{Mode: string(weaviate.Hybrid), Alpha: 0.5, Timeout: time.Minute}
}

var weaviateClass = regexp.MustCompile(`^[A-Z][_0-9A-Za-z]{0,150}$`)

// validateStore says what is wrong with where passages are kept.
func (c *Config) validateStore(bad func(string, ...any)) {
	shared := c.Index.Store == StoreWeaviate
	if !shared && c.Index.Store != storeBleve {
		bad("index.store %q: choose %s or %s", c.Index.Store, storeBleve, StoreWeaviate)
	}
	if !shared && slices.Contains(c.Retriever.Searchers, searcher.NameWeaviate) {
		bad("retriever.searchers has weaviate: set index.store to weaviate, and weaviate.url to its server")
	}
	c.Weaviate.validate(shared, bad)
}

// validate says what is wrong with the server, which may be needed, and with
// how it is used.
func (w *WeaviateConfig) validate(needed bool, bad func(string, ...any)) {
	u, ok := httpURL(w.URL)
	switch {
	case w.URL == "" && needed:
		bad("index.store is weaviate: set weaviate.url to its server, like http://localhost:8080")
	case w.URL == "":
	case !ok || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		bad("weaviate.url %q: want http://host:port or https://host:port", RedactURL(w.URL))
	case u.User != nil:
		bad("weaviate.url %q: set weaviate.api_key instead of a user", RedactURL(w.URL))
	}
	w.validateKey(bad)
	if w.Class != "" && !weaviateClass.MatchString(w.Class) {
		bad("weaviate.class %q: use a capital letter, then letters, digits and _, 150 at most", w.Class)
	}
	modes := []weaviate.Mode{weaviate.Hybrid, weaviate.BM25, weaviate.Vector}
	if !slices.Contains(modes, weaviate.Mode(w.Mode)) {
		bad("weaviate.mode %q: choose from %v", w.Mode, modes)
	}
	if !(w.Alpha >= 0 && w.Alpha <= 1) {
		bad("weaviate.alpha is between 0 (words alone) and 1 (meaning alone)")
	}
	if w.Timeout < 100*time.Millisecond {
		bad("weaviate.timeout: at least 100ms")
	}
}

func (w *WeaviateConfig) validateKey(bad func(string, ...any)) {
	if strings.ContainsFunc(w.APIKey, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		bad("weaviate.api_key: there is white space in it")
	}
	if w.APIKey != "" && w.APIKeyFile != "" {
		bad("weaviate: set api_key or api_key_file, not both")
	}
}

// WantsVectors reports whether a searcher needs the passages' vectors.
func (c *Config) WantsVectors() bool {
	return slices.Contains(c.Retriever.Searchers, searcher.NameDense) || c.overDense() ||
		slices.Contains(c.Retriever.Searchers, searcher.NameWeaviate) && weaviate.Mode(c.Weaviate.Mode) != weaviate.BM25
}
