package node

import (
	"context"
	"fmt"
	"time"

	"hopstream/index"
	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// The position of the shared store is stored in Weaviate. Concurrent callers share
// one read of it, which is called a look here. A search may start if an earlier
// look showed a position that suffices. Another look after the search tells
// whether the store was emptied meanwhile.

// sharedLook is what a look at the shared store shows.
type sharedLook struct {
	stream   string // the document stream there is
	last     uint64 // its last sequence
	messages uint64 // how many it holds
	position index.Position
	epoch    string
}

// lookNow reads the position and, before it, where the document stream ends.
func (s *sharedStore) lookNow(ctx context.Context) (l sharedLook, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	stream, err := s.conn.JS.Stream(ctx, s.conn.Names.Stream(messages.KindDocument))
	if err != nil {
		return l, fmt.Errorf("document stream: %w", err)
	}
	info := stream.CachedInfo()
	l.stream, l.last, l.messages = docstream.ID(info), info.State.LastSeq, info.State.Msgs
	l.position, l.epoch, err = s.Store.Look(ctx)
	return l, err
}

// look reads how far the store is by now. If it was emptied, or belongs to another
// document stream than before, the epoch is a new one.
func (s *sharedStore) look(ctx context.Context) (docstream.Progress, error) {
	l, err := s.looks.Get(ctx)
	if err != nil {
		return s.shown(), err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.epoch != s.seen.epoch || l.stream != s.seen.stream || l.position.Stream != s.seen.position.Stream {
		s.is.Epoch++
		s.is.Loading, s.is.End = true, l.last
	}
	s.seen = l
	s.is.Applied, s.is.Interrupted = l.position.Sequence, ""
	if (l.position != index.Position{}) && l.position.Stream != l.stream {
		s.is.Applied, s.is.Interrupted = 0, "it was filled from one that is gone"
	}
	if s.is.Applied >= s.is.End {
		s.is.Loading = false
	}
	return s.is, nil
}

// shown is how far the store was at the last look.
func (s *sharedStore) shown() docstream.Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.is
}

// until looks again and again until enough holds, the error is permanent, or ctx
// ends.
func (s *sharedStore) until(ctx context.Context, enough func(docstream.Progress) bool) (docstream.Progress, error) {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		p, err := s.look(ctx)
		if err == nil && enough(p) {
			return p, nil
		}
		if class, _ := fault.Of(err); class == fault.Permanent {
			return p, err
		}
		sleep(ctx, wait)
		if ctx.Err() != nil {
			if err == nil {
				err = ctx.Err()
			}
			return p, err
		}
	}
}

// Reach returns when the store can be searched for what was stored up to seq.
func (s *sharedStore) Reach(ctx context.Context, seq uint64) (docstream.Progress, error) {
	enough := func(p docstream.Progress) bool { return p.Lacks(seq) == "" }
	if p := s.shown(); enough(p) {
		return p, nil
	}
	return s.until(ctx, enough)
}

// Epoch looks at the store and returns its epoch, which is another than the one
// Reach returned if the store was emptied in between.
func (s *sharedStore) Epoch(ctx context.Context) (uint64, error) {
	p, err := s.look(ctx)
	return p.Epoch, err
}

// Ready returns when the store is not loading.
func (s *sharedStore) Ready(ctx context.Context) error {
	_, err := s.Reach(ctx, 0)
	return err
}

// Progress is the follower's where this process fills the store, and else that of
// the last look.
func (s *sharedStore) Progress() docstream.Progress {
	if _, f := s.filling(); f != nil {
		return f.Progress()
	}
	return s.shown()
}

// WaitFor returns when the store holds everything up to seq, or when ctx ends.
func (s *sharedStore) WaitFor(ctx context.Context, seq uint64) error {
	p, err := s.until(ctx, func(p docstream.Progress) bool { return p.Interrupted == "" && p.Applied >= seq })
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("the index in Weaviate has read the document stream up to %d, waiting for %d: %w", p.Applied, seq, err)
	}
	return err
}

// Lag returns how many messages of the stream the store has yet to take in.
func (s *sharedStore) Lag(ctx context.Context) (uint64, error) {
	p, err := s.look(ctx)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return min(s.seen.last-min(p.Applied, s.seen.last), s.seen.messages), nil
}
