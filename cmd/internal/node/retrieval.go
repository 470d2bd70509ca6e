package node

import (
	"context"
	"fmt"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/index/web"
	"hopstream/messages"
)

// openSearch opens the stores that the configured searchers need and puts the
// searchers together. It fails where a store cannot be opened.
func (n *Node) openSearch(ctx context.Context, p Options) (*search, error) {
	c := &n.cfg
	var members []searcher.Member
	st := opened{node: n, inMem: p.InMemory}
	gaveUp := func(err error) { n.logger.Debug("a search goes on without refinement", "error", err) }
	for _, name := range c.Retriever.Searchers {
		m := searcher.Member{Name: name, Timeout: c.Retriever.Timeout}
		var err error
		switch name {
		case config.SearchBM25:
			m.Searcher, err = st.words(ctx)
		case config.SearchLinks:
			m.Searcher, err = st.links(ctx)
		case config.SearchSparse:
			var words *index.Bleve
			if words, err = st.bleve(ctx); err == nil {
				m.Searcher = searcher.NewSparse(words, n.Engines, n.Engines, n.Engines, searcher.SparseOptions{
					Depth: boundOf(c.Retriever.Refinements), MaxVerifications: boundOf(c.Retriever.Verifications), OnGiveUp: gaveUp})
			}
		case config.SearchDense:
			var near searcher.Near
			if near, err = st.near(ctx); err == nil {
				m.Searcher = searcher.NewDense(near, n.Engines, n.Engines, n.Engines, searcher.DenseOptions{Rewrites: boundOf(c.Retriever.Refinements), OnGiveUp: gaveUp})
			}
		case config.SearchIntents:
			var words searcher.Searcher
			if words, err = st.words(ctx); err == nil {
				m.Searcher = searcher.NewIntents(words, n.Engines, searcher.IntentsOptions{Depth: c.Retriever.Depth, OnGiveUp: gaveUp})
			}
		case config.SearchWeaviate:
			m.Searcher, err = st.weaviate(ctx, weaviate.Mode(c.Weaviate.Mode))
		case config.SearchWeb:
			m.Searcher, err = web.New(web.Options{URL: c.Web.URL, Engines: c.Web.Engines, Language: c.Web.Language, PerSecond: c.Web.PerSecond, Timeout: c.Retriever.Timeout, Logger: n.logger})
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
	if p.Registry != nil {
		o.Observe = telemetry.NewSearchMetrics(p.Registry, c.Retriever.Searchers...).Observe
	}
	return &search{searcher.NewSet(members, o), depth}, nil
}

// boundOf translates a bound of the configuration, where 0 means none, for options
// where 0 means the default and a negative number none.
func boundOf(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// opened are the stores that the searchers search, each opened when it is first
// asked for: the stores of this process, or in their place the one in Weaviate.
type opened struct {
	node  *Node
	inMem bool

	index  *index.Bleve
	shared *sharedStore
}

func (s *opened) words(ctx context.Context) (searcher.Searcher, error) {
	if s.node.cfg.Index.Store == config.StoreWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.bleve(ctx)
}

// bleve returns the word index.
func (s *opened) bleve(ctx context.Context) (_ *index.Bleve, err error) {
	if s.index == nil {
		s.index, err = s.node.openWords(ctx, s.inMem)
	}
	return s.index, err
}

func (s *opened) near(ctx context.Context) (searcher.Near, error) {
	if s.node.cfg.Index.Store == config.StoreWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.node.openVectors(ctx, s.inMem)
}

// weaviate returns a store that searches in the given mode.
func (s *opened) weaviate(ctx context.Context, mode weaviate.Mode) (_ *weaviate.Store, err error) {
	if s.shared == nil {
		if s.shared, err = s.node.openWeaviate(ctx, s.inMem); err != nil {
			return nil, err
		}
	}
	return s.shared.searcher(ctx, mode)
}

// search asks each of several searchers for depth passages, more than are wanted
// in the end: one that is low in each list may be high when the lists are fused.
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
