package node

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
	"hopstream/stages/log"
	"hopstream/stages/meter"
)

// StartSearch starts the part of a node that searches: the stores follow the
// document stream, and no stage works. Close ends it.
func StartSearch(ctx context.Context, cfg config.Config, logger *slog.Logger, l *broker.Conn) (*Node, error) {
	n := &Node{cfg: cfg, logger: logger, Conn: l, Log: log.New(l.JS, l.Names)}
	n.Client = client.New(n.Log)
	p := Options{Table: []stages.Stage{*stages.Searching(stages.Pipeline())}}
	if err := n.openEngines(ctx, p); err != nil {
		n.Log.Close()
		return nil, err
	}
	if _, err := n.openSearch(ctx, p); err != nil {
		n.Engines.Close()
		n.Log.Close()
		return nil, errors.Join(err, n.Stores.close())
	}
	n.follow(ctx)
	return n, nil
}

// passages finds passages for people.
type passages struct {
	node    *Node
	deps    *searcher.Deps
	all     *searcher.Set
	members []searcher.Member

	mu     sync.Mutex
	one    map[string]*named // searchers that were asked for by name
	late   Stores            // opened for them
	closed bool
}

// named is one searcher, and the stores that it may search.
type named struct {
	*searcher.Set
	stores Stores
}

// Search returns the passages that the configured searchers, or the one called
// r.Searcher, find among all documents stored by now (but for
// retriever.max_behind of them). An error is an ErrRequest, or an unavailable
// fault where the index does not hold them yet, or the searchers'.
func (n *Node) Search(ctx context.Context, r SearchRequest) (*SearchReply, error) {
	if n.passages == nil {
		return nil, badRequest("this process searches nothing")
	}
	if err := r.Check(&n.cfg); err != nil {
		return nil, err
	}
	s, err := n.passages.named(r.Searcher)
	if err != nil {
		return nil, err
	}
	last, err := n.Log.Documents(ctx)
	if err != nil {
		return nil, err
	}
	var found messages.Found
	err = s.stores.Read(ctx, last-min(last, n.cfg.Retriever.MaxBehind), func(ctx context.Context) (err error) {
		// Nobody waits for long in front of a list of passages.
		ctx, used := meter.With(ctx, messages.Usage{ModelCalls: math.MaxInt, PromptTokens: math.MaxInt})
		used.Until(time.Now().Add(n.cfg.Retriever.Wait()), meter.Urgency{Priority: messages.Interactive})
		found, err = s.Search(ctx, r.Query, r.K)
		found.Degraded = messages.BoundDegraded(append(found.Degraded, used.GaveUp()...))
		return err
	})
	if err != nil {
		return nil, err
	}
	if r.Searcher == "" {
		r.Searcher = strings.Join(n.cfg.Retriever.Searchers, ",")
	}
	reply := &SearchReply{Passages: found.Passages, Degraded: found.Degraded, Searcher: r.Searcher, DocsSeq: last}
	if reply.Passages == nil {
		reply.Passages = []messages.Passage{}
	}
	if reply.Degraded == nil {
		reply.Degraded = []string{}
	}
	return reply, nil
}

// named returns the searcher called name, or all that are configured. One that
// is not configured is opened when it is first asked for; its store then follows
// the document stream as the others do.
func (p *passages) named(name string) (*named, error) {
	if name == "" {
		return &named{p.all, p.node.Stores}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, context.Canceled
	}
	if s := p.one[name]; s != nil {
		return s, nil
	}
	stores := p.node.Stores
	i := slices.IndexFunc(p.members, func(m searcher.Member) bool { return m.Name == name })
	var m searcher.Member
	if i >= 0 {
		m = p.members[i]
	} else {
		late, found, err := p.open(name)
		if err != nil {
			return nil, err
		}
		m = searcher.Member{Name: name, Timeout: p.node.cfg.Retriever.Timeout, Searcher: found}
		stores = slices.Concat(stores, late)
	}
	s := &named{searcher.NewSet([]searcher.Member{m}, searcher.SetOptions{Deadline: deadline, Late: meter.ErrLate}), stores}
	p.one[name] = s
	return s, nil
}

// open opens a searcher that is not configured, and has its stores follow the
// document stream. The caller holds mu.
func (p *passages) open(name string) (Stores, searcher.Searcher, error) {
	n, before := p.node, len(p.late)
	n.opening = &p.late
	row, _ := searcher.Lookup(name)
	found, err := row.New(n.Ended, p.deps)
	if err != nil {
		return nil, nil, err
	}
	late := slices.Clone(p.late[before:])
	for _, store := range late {
		n.group.Go(func() error {
			if err := store.follower.Run(n.Ended); err != nil { // nobody's question depends on it
				n.logger.Error("a store that is searched by name only is not kept up to date any more", "store", store.name, "error", err)
			}
			return nil
		})
	}
	return late, found, nil
}

// end lets no further searcher be opened.
func (p *passages) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// close closes the stores that were opened late, once nothing follows.
func (p *passages) close() error {
	if p == nil {
		return nil
	}
	return p.late.close()
}
