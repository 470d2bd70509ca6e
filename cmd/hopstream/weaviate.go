package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"hopstream/index"
	"hopstream/index/docstream"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
)

// weaviateShelf is the store that all processes share. All search it; one at a
// time, that which holds the lease, fills it:
//
//	documents stream ─▶ filler (in one process) ─▶ Weaviate ◀─ searchers (in every process)
//
// It is a shelf's store, with counts from a store that only searches, and the
// follower too, whoever fills (weaviateread.go). A process takes over with a store it opens anew, since a
// store reads the position stored in Weaviate when it is opened.
type weaviateShelf struct {
	*weaviate.Store
	opts   weaviate.Options
	link   *link
	lease  docstream.LeaseOptions
	follow docstream.FollowOptions
	scrap  bool // the class goes with the shelf

	searchers map[weaviate.Mode]*weaviate.Store

	looks *log.Shared[weaviateLook]

	mu     sync.Mutex
	filler *weaviate.Store     // nil while another process fills
	fed    *docstream.Follower // the filler's
	seen   weaviateLook        // the last look
	is     docstream.Progress  // what the looks amount to
}

var _ interface {
	shelved
	following
} = (*weaviateShelf)(nil)

// openWeaviate opens the shared store. A private node, whose document stream
// goes with it, gets a class of its own, which goes with it too.
func (n *node) openWeaviate(ctx context.Context, a *app, private bool) (*weaviateShelf, error) {
	c := &a.cfg.Weaviate
	client, err := c.client()
	if err != nil {
		return nil, err
	}
	s := &weaviateShelf{link: n.link, follow: n.followOptions(ctx, a), scrap: private, searchers: map[weaviate.Mode]*weaviate.Store{}}
	s.opts = weaviate.Options{
		URL: c.URL, APIKey: c.APIKey, HTTP: client, Class: c.Class, Alpha: c.Alpha, Chunk: a.indexOptions().Chunk, BM25: a.indexOptions().BM25, Logger: a.log,
	}
	if c.Alpha == 0 {
		s.opts.Alpha = -1 // there, 0 is the default
	}
	if c.Class == "" {
		s.opts.Class = weaviate.ClassFor(n.link.names.Prefix())
	}
	if private {
		s.opts.Class += "Temporary" + rand.Text()
	}
	if a.cfg.wantsVectors() {
		s.opts.Embedder, s.opts.EmbedderName = n.engines, a.cfg.embedderName()
	}
	host, _ := os.Hostname()
	s.lease = docstream.LeaseOptions{Replicas: a.cfg.NATS.Replicas, Holder: fmt.Sprintf("%s/%d", host, os.Getpid()), Logger: a.log}
	if s.Store, err = s.open(ctx, weaviate.BM25); err != nil {
		return nil, err
	}
	s.is = docstream.Progress{Loading: true, Interrupted: "it was not looked at yet"}
	s.looks = log.NewShared(0, s.lookNow)
	s.searchers[weaviate.BM25] = s.Store
	if _, err := docstream.Ensure(ctx, n.link.js, n.link.names, a.documentStream(n.link), a.log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	n.shelves = append(n.shelves, &shelf{name: storeWeaviate, store: s, follower: s, fills: s.fills})
	return s, nil
}

func (s *weaviateShelf) open(ctx context.Context, mode weaviate.Mode) (*weaviate.Store, error) {
	o := s.opts
	o.Mode = mode
	store, err := weaviate.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("the index in Weaviate at %s: %w", s.opts.URL, err)
	}
	return store, nil
}

// searcher returns a store that searches in the given mode.
func (s *weaviateShelf) searcher(ctx context.Context, mode weaviate.Mode) (*weaviate.Store, error) {
	if have := s.searchers[mode]; have != nil {
		return have, nil
	}
	store, err := s.open(ctx, mode)
	if err == nil {
		s.searchers[mode] = store
	}
	return store, err
}

// links searches what passages name: in the shared store where there is one,
// which knows what its passages are called, or else in an index of this
// process's own.
func (s *stores) links(ctx context.Context) (searcher.Searcher, error) {
	if s.app.cfg.Index.Store != storeWeaviate {
		return s.node.openLinks(ctx, s.app, s.inMem)
	}
	words, err := s.weaviate(ctx, weaviate.BM25)
	if err != nil {
		return nil, err
	}
	return words.Links(), nil
}

// Run fills the store whenever it is this process's turn. What goes wrong that
// may pass lets another process try.
func (s *weaviateShelf) Run(ctx context.Context) error {
	for wait := time.Second; ; wait = min(2*wait, 10*time.Second) {
		began := time.Now()
		err := docstream.Lease(ctx, s.link.js, s.link.names, storeWeaviate+"."+s.opts.Class, s.lease, s.fill)
		if ctx.Err() != nil {
			return nil
		}
		if class, _ := fault.Of(err); class == fault.Permanent {
			return err
		}
		if time.Since(began) > time.Minute {
			wait = time.Second
		}
		s.follow.Logger.Warn("filling the index was interrupted", "class", s.opts.Class, "error", err, "again_in", wait)
		sleep(ctx, wait)
	}
}

// fill is what the holder of the lease does.
func (s *weaviateShelf) fill(ctx context.Context) error {
	store, err := s.open(ctx, weaviate.BM25)
	if err != nil {
		return err
	}
	if err := store.Upgrade(ctx); err != nil {
		return errors.Join(err, store.Close())
	}
	f, err := docstream.Follow(ctx, s.link.js, s.link.names, store, s.follow)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	s.set(store, f)
	s.follow.Logger.Info("this process fills the index", "class", s.opts.Class)
	err = f.Run(ctx)
	s.set(nil, nil)
	return errors.Join(err, store.Close())
}

func (s *weaviateShelf) set(store *weaviate.Store, f *docstream.Follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filler, s.fed = store, f
}

func (s *weaviateShelf) filling() (*weaviate.Store, *docstream.Follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filler, s.fed
}

func (s *weaviateShelf) fills() bool {
	store, _ := s.filling()
	return store != nil
}

// Close closes the store, and removes what is this process's alone.
func (s *weaviateShelf) Close() error {
	s.looks.Close()
	var err error
	for _, store := range s.searchers {
		err = errors.Join(err, store.Close())
	}
	if s.scrap {
		err = errors.Join(err, s.remove(s.opts.Class), s.remove(s.opts.Class+"State"))
	}
	s.opts.HTTP.CloseIdleConnections()
	return err
}

// remove deletes a class.
func (s *weaviateShelf) remove(class string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, strings.TrimRight(s.opts.URL, "/")+"/v1/schema/"+class, nil)
	if err != nil {
		return err
	}
	if s.opts.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+s.opts.APIKey)
	}
	resp, err := s.opts.HTTP.Do(req)
	if err != nil {
		return fmt.Errorf("the temporary class %s stays in Weaviate: delete it: %w", class, err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode >= 300 && resp.StatusCode != http.StatusNotFound {
		return fmt.Errorf("the temporary class %s stays in Weaviate at %s, which answers %s: delete it", class, s.opts.URL, resp.Status)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

var errNotFiller = fault.Permanentf("the shared index is filled by its follower alone")

// Apply fails: the shelf's own store only searches.
func (s *weaviateShelf) Apply(context.Context, []messages.Document, index.Position) error {
	return errNotFiller
}

// Reset fails: the shelf's own store only searches.
func (s *weaviateShelf) Reset(context.Context) error { return errNotFiller }
