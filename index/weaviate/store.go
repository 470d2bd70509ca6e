package weaviate

import (
	"context"
	"crypto/sha1"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"hopstream/index"
	"hopstream/messages"
)

// Store is an index.Store in a Weaviate server. It is safe for concurrent
// use.
type Store struct {
	opts Options
	conn *conn

	writer sync.Mutex // one Apply or Reset at a time
	state  atomic.Pointer[state]
	closed atomic.Bool

	passages, documents atomic.Int64 // as last counted
}

var _ index.Store = (*Store)(nil)

// Open connects to the server, makes the classes if they are missing, and
// reads the position. An error is unavailable while the server is away, and
// permanent if options, key or an existing class do not fit.
func Open(ctx context.Context, opts Options) (*Store, error) {
	opts, u, err := opts.check()
	if err != nil {
		return nil, err
	}
	c, err := connect(opts, u)
	if err != nil {
		return nil, err
	}
	s := &Store{opts: opts, conn: c}
	s.state.Store(&state{})
	if err := s.start(ctx); err != nil {
		c.close()
		return nil, err
	}
	return s, nil
}

func (s *Store) start(ctx context.Context) error {
	if err := s.conn.ready(ctx); err != nil {
		return err
	}
	if s.opts.Reset {
		return s.reset(ctx)
	}
	if err := s.ensure(ctx); err != nil {
		return err
	}
	st, _, err := s.load(ctx)
	if err != nil {
		return err
	}
	s.state.Store(&st)
	return s.checkEmbedder(st)
}

// Ready returns nil if the server takes requests.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	return s.conn.ready(ctx)
}

func (s *Store) usable(ctx context.Context) error {
	if s.closed.Load() {
		return index.ErrClosed
	}
	return ctx.Err()
}

// Position returns how far this process has filled the store; in one that
// only searches, how far it was filled when it was opened.
func (s *Store) Position() index.Position { return s.state.Load().position }

// Reset deletes all passages and the position. Searches of other processes
// may fail meanwhile, with a transient error.
func (s *Store) Reset(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	return s.reset(ctx)
}

func (s *Store) reset(ctx context.Context) error {
	// In this order: passages without a position are harmless, as after a
	// crash, but here they may be of a stream that is no more; a position
	// without passages is taken away by ensure.
	for _, class := range []string{s.opts.Class, s.stateName()} {
		if err := s.drop(ctx, class); err != nil {
			return err
		}
	}
	s.state.Store(&state{})
	return s.ensure(ctx)
}

// Close closes the store; searches in progress finish. A second Close does
// nothing.
func (s *Store) Close() error {
	if !s.closed.Swap(true) {
		s.conn.close()
	}
	return nil
}

// Passage returns the passage called id, and whether there is one.
func (s *Store) Passage(ctx context.Context, id string) (messages.Passage, bool, error) {
	if err := s.usable(ctx); err != nil {
		return messages.Passage{}, false, err
	}
	objects, err := s.conn.data.ObjectsGetter().WithClassName(s.opts.Class).WithID(uuid(id)).Do(ctx)
	if statusOf(err) == http.StatusNotFound {
		return messages.Passage{}, false, nil
	}
	if err != nil || len(objects) != 1 {
		return messages.Passage{}, false, classify(ctx, "read a passage", err)
	}
	properties, _ := objects[0].Properties.(map[string]any)
	p := passageOf(properties)
	return p, p.ID != "", nil
}

func passageOf(properties map[string]any) messages.Passage {
	get := func(name string) string { v, _ := properties[name].(string); return v }
	text := get(propText)
	if above := get(propHeading); above != "" {
		text = strings.TrimPrefix(text, above+"\n")
	}
	return messages.Passage{ID: get(propPassage), Title: get(propTitle), Text: text, Place: messages.UnpackPlace(get(propPlace))}
}

// uuid is the UUID of version 5 for a name in a namespace of our own.
func uuid(name string) string {
	h := sha1.New()
	h.Write([]byte("\x8c\x5e\x1d\x3a\x94\x7b\x4f\x02\x9d\x61\x70\x2b\xe4\x18\xc6\xf5"))
	h.Write([]byte(name))
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x50
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
