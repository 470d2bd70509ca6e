package node

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

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/index"
	"hopstream/index/docstream"
	"hopstream/index/searcher"
	"hopstream/index/weaviate"
	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
)

// sharedStore is the store that all processes share. All search it; one at a
// time, that which holds the lease, fills it:
//
//	documents stream ─▶ filler (in one process) ─▶ Weaviate ◀─ searchers (in every process)
//
// It is both a store and its follower. The counts come from the embedded store,
// which only searches; the position is read from Weaviate, whichever process
// fills it (weaviateread.go). A process that starts to fill opens another store
// for that, since a store reads the position in Weaviate when it is opened.
type sharedStore struct {
	*weaviate.Store
	opts      weaviate.Options
	conn      *broker.Conn
	lease     docstream.LeaseOptions
	follow    docstream.FollowOptions
	temporary bool // the class is removed on close

	searchers map[weaviate.Mode]*weaviate.Store

	looks *log.Shared[sharedLook]

	mu     sync.Mutex
	filler *weaviate.Store     // nil while another process fills
	fed    *docstream.Follower // the filler's
	seen   sharedLook          // the position read last
	is     docstream.Progress  // the progress that follows from it
}

var _ interface {
	Store
	Follower
} = (*sharedStore)(nil)

// openWeaviate opens the shared store. A private node, whose document stream is
// temporary, gets a class of its own, which is removed with it.
func (n *Node) openWeaviate(ctx context.Context, private bool) (*sharedStore, error) {
	c := &n.cfg.Weaviate
	client, err := weaviateClient(c)
	if err != nil {
		return nil, err
	}
	s := &sharedStore{conn: n.Conn, follow: n.followOptions(ctx), temporary: private, searchers: map[weaviate.Mode]*weaviate.Store{}}
	s.opts = weaviate.Options{
		URL: c.URL, APIKey: c.APIKey, HTTP: client, Class: c.Class, Alpha: c.Alpha, Chunk: n.indexOptions().Chunk, BM25: n.indexOptions().BM25, Logger: n.logger,
	}
	if c.Alpha == 0 {
		s.opts.Alpha = -1 // there, 0 is the default
	}
	if c.Class == "" {
		s.opts.Class = weaviate.ClassFor(n.Conn.Names.Prefix())
	}
	if private {
		s.opts.Class += "Temporary" + rand.Text()
	}
	if n.cfg.WantsVectors() {
		s.opts.Embedder, s.opts.EmbedderName = n.Engines, n.cfg.EmbedderName()
	}
	host, _ := os.Hostname()
	s.lease = docstream.LeaseOptions{Replicas: n.cfg.NATS.Replicas, Holder: fmt.Sprintf("%s/%d", host, os.Getpid()), Logger: n.logger}
	if s.Store, err = s.open(ctx, weaviate.BM25); err != nil {
		return nil, err
	}
	s.is = docstream.Progress{Loading: true, Interrupted: "it was not looked at yet"}
	s.looks = log.NewShared(0, s.lookNow)
	s.searchers[weaviate.BM25] = s.Store
	if _, err := docstream.Ensure(ctx, n.Conn.JS, n.Conn.Names, DocumentStream(n.cfg, n.Conn.Names), n.logger); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	*n.opening = append(*n.opening, &followed{name: config.StoreWeaviate, store: s, follower: s, fills: s.fills})
	return s, nil
}

func (s *sharedStore) open(ctx context.Context, mode weaviate.Mode) (*weaviate.Store, error) {
	o := s.opts
	o.Mode = mode
	store, err := weaviate.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("the index in Weaviate at %s: %w", s.opts.URL, err)
	}
	return store, nil
}

// searcher returns a store that searches in the given mode.
func (s *sharedStore) searcher(ctx context.Context, mode weaviate.Mode) (*weaviate.Store, error) {
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
func (s *opened) links(ctx context.Context) (searcher.Searcher, error) {
	if s.node.cfg.Index.Store != config.StoreWeaviate {
		return s.node.openLinks(ctx, s.inMem)
	}
	words, err := s.weaviate(ctx, weaviate.BM25)
	if err != nil {
		return nil, err
	}
	return words.Links(), nil
}

// Run fills the store while this process holds the lease, until ctx ends. After an
// error that may pass it gives the lease up, so that another process may try, and
// then tries again. It fails with a permanent error.
func (s *sharedStore) Run(ctx context.Context) error {
	for wait := time.Second; ; wait = min(2*wait, 10*time.Second) {
		began := time.Now()
		err := docstream.Lease(ctx, s.conn.JS, s.conn.Names, config.StoreWeaviate+"."+s.opts.Class, s.lease, s.fill)
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

// fill follows the document stream with a store opened for it, while this process
// holds the lease.
func (s *sharedStore) fill(ctx context.Context) error {
	store, err := s.open(ctx, weaviate.BM25)
	if err != nil {
		return err
	}
	if err := store.Upgrade(ctx); err != nil {
		return errors.Join(err, store.Close())
	}
	f, err := docstream.Follow(ctx, s.conn.JS, s.conn.Names, store, s.follow)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	s.set(store, f)
	s.follow.Logger.Info("this process fills the index", "class", s.opts.Class)
	err = f.Run(ctx)
	s.set(nil, nil)
	return errors.Join(err, store.Close())
}

func (s *sharedStore) set(store *weaviate.Store, f *docstream.Follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filler, s.fed = store, f
}

func (s *sharedStore) filling() (*weaviate.Store, *docstream.Follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filler, s.fed
}

func (s *sharedStore) fills() bool {
	store, _ := s.filling()
	return store != nil
}

// Close closes the stores, and removes a temporary class. It returns their errors,
// and what could not be removed.
func (s *sharedStore) Close() error {
	s.looks.Close()
	var err error
	for _, store := range s.searchers {
		err = errors.Join(err, store.Close())
	}
	if s.temporary {
		err = errors.Join(err, s.remove(s.opts.Class), s.remove(s.opts.Class+"State"))
	}
	s.opts.HTTP.CloseIdleConnections()
	return err
}

// remove deletes a class.
func (s *sharedStore) remove(class string) error {
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

// Apply fails: the embedded store only searches.
func (s *sharedStore) Apply(context.Context, []messages.Document, index.Position) error {
	return errNotFiller
}

// Reset fails: the embedded store only searches.
func (s *sharedStore) Reset(context.Context) error { return errNotFiller }
