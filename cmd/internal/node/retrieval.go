package node

import (
	"context"
	"fmt"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/bleve"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/index/web"
	"hopstream/messages"
)

// openSearch opens the stores that the configured searchers need and puts the
// searchers together. It fails where a store cannot be opened.
func (n *Node) openSearch(ctx context.Context, p Options) (*search, error) {
	c := &n.cfg
	n.opening = &n.Stores
	var members []searcher.Member
	d := &searcher.Deps{
		Stores: &opened{node: n, inMem: p.InMemory}, Roles: n.Engines,
		Depth: c.Retriever.Depth, Refinements: c.Retriever.Refinements, Verifications: c.Retriever.Verifications,
		OnGiveUp: func(err error) { n.logger.Debug("a search goes on without refinement", "error", err) },
	}
	for _, name := range c.Retriever.Searchers { // which exist: the configuration was validated
		row, _ := searcher.Lookup(name)
		s, err := row.New(ctx, d)
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
	if p.Registry != nil {
		o.Observe = telemetry.NewSearchMetrics(p.Registry, c.Retriever.Searchers...).Observe
	}
	all := &search{searcher.NewSet(members, o), depth}
	n.passages = &passages{node: n, deps: d, all: all, members: members, one: map[string]*named{}}
	return all, nil
}

// opened are the stores that the searchers search, each opened when it is first
// asked for: the stores of this process, or in their place the one in Weaviate.
type opened struct {
	node  *Node
	inMem bool

	index  *bleve.Store
	shared *sharedStore
}

var _ searcher.Stores = (*opened)(nil)

// Words returns the word index, or Weaviate in its place.
func (s *opened) Words(ctx context.Context) (searcher.Searcher, error) {
	if s.node.cfg.Index.Store == config.StoreWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.words(ctx)
}

// WordIndex returns the word index.
func (s *opened) WordIndex(ctx context.Context) (searcher.Finder, error) { return s.words(ctx) }

func (s *opened) words(ctx context.Context) (_ *bleve.Store, err error) {
	if s.index == nil {
		s.index, err = s.node.openWords(ctx, s.inMem)
	}
	return s.index, err
}

// Links returns the index of links, or Weaviate in its place.
func (s *opened) Links(ctx context.Context) (searcher.Searcher, error) { return s.links(ctx) }

// Vectors returns the vector store, or Weaviate in its place.
func (s *opened) Vectors(ctx context.Context) (searcher.Near, error) {
	if s.node.cfg.Index.Store == config.StoreWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.node.openVectors(ctx, s.inMem)
}

// Weaviate returns Weaviate's own search, in its configured mode.
func (s *opened) Weaviate(ctx context.Context) (searcher.Searcher, error) {
	return s.weaviate(ctx, weaviate.Mode(s.node.cfg.Weaviate.Mode))
}

// Web returns the configured SearXNG server.
func (s *opened) Web(context.Context) (searcher.Searcher, error) {
	c := &s.node.cfg
	found, err := web.New(web.Options{URL: c.Web.URL, Engines: c.Web.Engines, Language: c.Web.Language, PerSecond: c.Web.PerSecond, Timeout: c.Retriever.Timeout, Logger: s.node.logger})
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return found, nil
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
