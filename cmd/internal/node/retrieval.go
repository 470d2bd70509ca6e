package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/bleve"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/index/web"
	"hopstream/stages/meter"
)

// openSearch opens the stores that the configured searchers need and puts the
// searchers together. It fails where a store cannot be opened.
func (n *Node) openSearch(ctx context.Context, p Options) (*searcher.Set, error) {
	c := &n.cfg
	n.opening = &n.Stores
	var members []searcher.Member
	d := &searcher.Deps{
		Stores: &opened{node: n, inMem: p.InMemory}, Roles: n.Engines,
		Depth: c.Retriever.Depth, Refinements: c.Retriever.Refinements, Verifications: c.Retriever.Verifications,
		OnGiveUp: n.giveUp,
	}
	if p.Stores != nil {
		d.Stores = p.Stores
	}
	d.IntentsOverDense = c.Retriever.IntentsOver == config.OverDense
	for _, name := range c.Retriever.Searchers { // which exist: the configuration was validated
		row, _ := searcher.Lookup(name)
		s, err := row.New(ctx, d)
		if err != nil {
			return nil, err
		}
		members = append(members, searcher.Member{Name: name, Timeout: c.Retriever.Timeout, Searcher: s})
	}
	o := searcher.SetOptions{Depth: c.Retriever.Depth, Deadline: deadline, Late: meter.ErrLate}
	if p.Registry != nil || p.Tracer.On() {
		searches := &telemetry.Searches{Tracer: p.Tracer}
		if p.Registry != nil {
			searches.Metrics = telemetry.NewSearchMetrics(p.Registry, c.Retriever.Searchers...)
		}
		o.Begin, o.Observe = searches.Begin, searches.Observe
	}
	all := searcher.NewSet(members, o)
	n.passages = &passages{node: n, deps: d, all: all, members: members, one: map[string]*named{}}
	return all, nil
}

// deadline returns by when the delivery that searches should be done.
func deadline(ctx context.Context) (time.Time, bool) { return meter.From(ctx).Deadline() }

// giveUp notes what a search goes on without, and why, with its delivery: it
// then stands in the question's hop and is counted.
func (n *Node) giveUp(ctx context.Context, what string, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		if n.cfg.Retriever.Timeout > 0 && !meter.Late(ctx) {
			err = errors.New("timeout") // the searcher's own
		} else {
			err = meter.ErrLate
		}
	}
	meter.From(ctx).GiveUp(what, err)
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

// WordIndex returns the word index, or Weaviate in its place.
func (s *opened) WordIndex(ctx context.Context) (searcher.Finder, error) {
	if s.node.cfg.Index.Store == config.StoreWeaviate {
		return s.weaviate(ctx, weaviate.BM25)
	}
	return s.words(ctx)
}

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
