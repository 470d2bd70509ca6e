package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hopstream/index/bleve"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/index/web"
	"hopstream/messages"
)

// RetrieverConfig says how passages are searched for.
type RetrieverConfig struct {
	TopK      int           `koanf:"top_k"`
	Searchers []string      `koanf:"searchers"` // side by side, fused by reciprocal rank
	Depth     int           `koanf:"depth"`     // passages asked of each
	Timeout   time.Duration `koanf:"timeout"`   // of each
	// Refinements are how many operators the sparse searcher tries one after
	// the other, and pseudo-documents the dense one writes; both only while
	// what was found does not suffice.
	Refinements int `koanf:"refinements"`
	// Verifications bound how often the sparse searcher asks whether it does.
	Verifications int `koanf:"verifications"`
	// MaxBehind is how many of the documents stored before a question its
	// answer may have been given without: 0, unless documents never rest.
	MaxBehind uint64 `koanf:"max_behind"`
}

// WebConfig is the web searcher's: SearXNG's JSON API.
type WebConfig struct {
	URL       string   `koanf:"url"`
	Engines   []string `koanf:"engines"`
	Language  string   `koanf:"language"`
	PerSecond float64  `koanf:"per_second"`
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
		case row.Has(searcher.WordIndex) && c.Index.Store == storeWeaviate:
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

// readsDocuments reports whether a configured searcher has an index of the
// documents; the web has not.
func (c *Config) readsDocuments() bool {
	return slices.ContainsFunc(c.Retriever.Searchers, func(name string) bool {
		row, _ := searcher.Lookup(name)
		return row.ReadsDocuments()
	})
}

// openSearch opens the stores that the configured searchers need and puts the
// searchers together.
func (n *node) openSearch(ctx context.Context, a *app, p nodeParts) (*search, error) {
	c := &a.cfg
	var members []searcher.Member
	d := searcher.Deps{
		Stores: &stores{node: n, app: a, inMem: p.inMem}, Roles: n.engines,
		Depth: c.Retriever.Depth, Refinements: c.Retriever.Refinements, Verifications: c.Retriever.Verifications,
		OnGiveUp: func(err error) { a.log.Debug("a search goes on without refinement", "error", err) },
	}
	for _, name := range c.Retriever.Searchers { // which exist: see validateSearch
		row, _ := searcher.Lookup(name)
		s, err := row.New(ctx, &d)
		if err != nil {
			return nil, err
		}
		members = append(members, searcher.Member{Name: name, Timeout: c.Retriever.Timeout, Searcher: s})
	}
	depth := c.Retriever.Depth
	if len(members) == 1 {
		depth = 0
	}
	var o searcher.SetOptions
	if p.reg != nil {
		o.Observe = newSearchMetrics(p.reg, c.Retriever.Searchers...).observe
	}
	return &search{searcher.NewSet(members, o), depth}, nil
}

// stores opens what the searchers search, once each: the stores of this
// process, or in their place the one in Weaviate.
type stores struct {
	node  *node
	app   *app
	inMem bool

	index  *bleve.Store
	shared *weaviateShelf
}

var _ searcher.Stores = (*stores)(nil)

// Words is the word index, or Weaviate in its place.
func (s *stores) Words(ctx context.Context) (searcher.Searcher, error) {
	if s.app.cfg.Index.Store == storeWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.words(ctx)
}

// WordIndex is the word index.
func (s *stores) WordIndex(ctx context.Context) (searcher.Finder, error) { return s.words(ctx) }

func (s *stores) words(ctx context.Context) (_ *bleve.Store, err error) {
	if s.index == nil {
		s.index, err = s.node.openWords(ctx, s.app, s.inMem)
	}
	return s.index, err
}

// Links is the index of links, or Weaviate in its place (see links).
func (s *stores) Links(ctx context.Context) (searcher.Searcher, error) { return s.links(ctx) }

// Vectors is the vector store, or Weaviate in its place.
func (s *stores) Vectors(ctx context.Context) (searcher.Near, error) {
	if s.app.cfg.Index.Store == storeWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.node.openVectors(ctx, s.app, s.inMem)
}

// Weaviate is Weaviate's own search.
func (s *stores) Weaviate(ctx context.Context) (searcher.Searcher, error) {
	return s.weaviate(ctx, weaviate.Mode(s.app.cfg.Weaviate.Mode))
}

// Web is the configured SearXNG server.
func (s *stores) Web(context.Context) (searcher.Searcher, error) {
	c := &s.app.cfg
	found, err := web.New(web.Options{URL: c.Web.URL, Engines: c.Web.Engines, Language: c.Web.Language, PerSecond: c.Web.PerSecond, Timeout: c.Retriever.Timeout, Logger: s.app.log})
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return found, nil
}

// weaviate is a store that searches in the given mode.
func (s *stores) weaviate(ctx context.Context, mode weaviate.Mode) (_ *weaviate.Store, err error) {
	if s.shared == nil {
		if s.shared, err = s.node.openWeaviate(ctx, s.app, s.inMem); err != nil {
			return nil, err
		}
	}
	return s.shared.searcher(ctx, mode)
}

// search asks each searcher for more than is wanted of all: what stands below
// the best of one may be among the best of the whole.
type search struct {
	set   *searcher.Set
	depth int
}

// Search returns the k best passages of all searchers.
func (s *search) Search(ctx context.Context, query string, k int) (messages.Found, error) {
	found, err := s.set.Search(ctx, query, max(k, s.depth))
	found.Passages = found.Passages[:min(k, len(found.Passages))]
	return found, err
}
