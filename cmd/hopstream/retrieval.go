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

// The searchers that can be configured.
const (
	searchBM25     = "bm25"     // by words, in the store as it is
	searchDense    = "dense"    // vectors
	searchWeaviate = "weaviate" // Weaviate's own search, in its configured mode
	searchLinks    = "links"    // ranked by what passages say and whom they name
	searchSparse   = "sparse"   // keywords, refined until what they find suffices
	searchIntents  = "intents"  // a query per statement of a hypothetical answer
	searchWeb      = "web"      // another search engine's abstracts
)

var searchers = []string{searchBM25, searchLinks, searchSparse, searchDense, searchWeaviate, searchIntents, searchWeb}

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
		bad("retriever.searchers: choose from %v", searchers)
	}
	for i, name := range r.Searchers {
		if !slices.Contains(searchers, name) {
			bad("retriever.searchers: there is no %q: choose from %v", name, searchers)
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
	if slices.Contains(r.Searchers, searchSparse) && c.Index.Store == storeWeaviate {
		bad("retriever.searchers has sparse, which searches the word index: index.store weaviate has none")
	}
	if slices.Contains(r.Searchers, searchWeb) && c.Web.URL == "" {
		bad("retriever.searchers has web: set web.url to a SearXNG server")
	}
	c.validateStore(bad)
}

// readsDocuments reports whether a configured searcher has an index of the
// documents; the web has not.
func (c *Config) readsDocuments() bool {
	return slices.ContainsFunc(c.Retriever.Searchers, func(name string) bool { return name != searchWeb })
}

// openSearch opens the stores that the configured searchers need and puts the
// searchers together.
func (n *node) openSearch(ctx context.Context, a *app, p nodeParts) (*search, error) {
	c := &a.cfg
	var members []searcher.Member
	st := stores{node: n, app: a, inMem: p.inMem}
	gaveUp := func(err error) { a.log.Debug("a search goes on without refinement", "error", err) }
	for _, name := range c.Retriever.Searchers {
		m := searcher.Member{Name: name, Timeout: c.Retriever.Timeout}
		var err error
		switch name {
		case searchBM25:
			m.Searcher, err = st.words(ctx)
		case searchLinks:
			m.Searcher, err = st.links(ctx)
		case searchSparse:
			var words *bleve.Store
			if words, err = st.bleve(ctx); err == nil {
				m.Searcher = searcher.NewSparse(words, n.engines, n.engines, n.engines, searcher.SparseOptions{
					Depth: boundOf(c.Retriever.Refinements), MaxVerifications: boundOf(c.Retriever.Verifications), OnGiveUp: gaveUp})
			}
		case searchDense:
			var near searcher.Near
			if near, err = st.near(ctx); err == nil {
				m.Searcher = searcher.NewDense(near, n.engines, n.engines, n.engines, searcher.DenseOptions{Rewrites: boundOf(c.Retriever.Refinements), OnGiveUp: gaveUp})
			}
		case searchIntents:
			var words searcher.Searcher
			if words, err = st.words(ctx); err == nil {
				m.Searcher = searcher.NewIntents(words, n.engines, searcher.IntentsOptions{Depth: c.Retriever.Depth, OnGiveUp: gaveUp})
			}
		case searchWeaviate:
			m.Searcher, err = st.weaviate(ctx, weaviate.Mode(c.Weaviate.Mode))
		case searchWeb:
			m.Searcher, err = web.New(web.Options{URL: c.Web.URL, Engines: c.Web.Engines, Language: c.Web.Language, PerSecond: c.Web.PerSecond, Timeout: c.Retriever.Timeout, Logger: a.log})
			if err != nil {
				err = fmt.Errorf("web: %w", err)
			}
		}
		if err != nil {
			return nil, err
		}
		members = append(members, m)
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

// boundOf is n for options whose zero is a default, and whose negative is none.
func boundOf(n int) int {
	if n == 0 {
		return -1
	}
	return n
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

func (s *stores) words(ctx context.Context) (searcher.Searcher, error) {
	if s.app.cfg.Index.Store == storeWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.bleve(ctx)
}

// bleve is the word index, opened once.
func (s *stores) bleve(ctx context.Context) (_ *bleve.Store, err error) {
	if s.index == nil {
		s.index, err = s.node.openWords(ctx, s.app, s.inMem)
	}
	return s.index, err
}

func (s *stores) near(ctx context.Context) (searcher.Near, error) {
	if s.app.cfg.Index.Store == storeWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.node.openVectors(ctx, s.app, s.inMem)
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
