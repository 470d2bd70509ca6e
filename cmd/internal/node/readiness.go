package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/index/docstream"
	"hopstream/messages/fault"
	"hopstream/stages/retriever"
)

// A question is answered from indexes that hold every document stored before
// it was accepted:
//
//	router      notes the document stream's last sequence in the question's head
//	gate        a retriever takes no messages while its stores are loading
//	Read        waits a little for documents that a store lacks; if they do not
//	            come, the message goes back to the queue, for another worker or
//	            a later attempt; if a store was emptied during the search, the
//	            search is repeated

// shortWait is how long a search waits for an index that lacks a document, before
// the message is handed back.
const shortWait = 500 * time.Millisecond

var _ retriever.Index = Stores(nil)

// Read calls search while every store holds the documents up to seq. Where one
// does not get there soon it returns an unavailable fault that says how far it
// is.
func (s Stores) Read(ctx context.Context, seq uint64, search func(context.Context) error) error {
	for range 2 {
		before, err := s.reach(ctx, seq)
		if err != nil {
			return err
		}
		if err := search(ctx); err != nil {
			return err
		}
		whole, err := s.same(ctx, before)
		if whole || err != nil {
			return err
		}
	}
	return fault.AsUnavailable(errors.New("the index was built anew while it was searched"), shortWait)
}

// reach waits a little until every store can be searched for what was stored
// up to seq, and returns their epochs.
func (s Stores) reach(ctx context.Context, seq uint64) (epochs []uint64, err error) {
	soon, cancel := context.WithTimeout(ctx, shortWait)
	defer cancel()
	for _, one := range s {
		p, err := one.follower.Reach(soon, seq)
		switch {
		case err == nil:
			epochs = append(epochs, p.Epoch)
			continue
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			if lacks := p.Lacks(seq); lacks != "" {
				err = errors.New(lacks)
			}
		}
		return nil, notNow(ctx, err)
	}
	return epochs, nil
}

// notNow makes err an unavailable fault, so that the message is delivered again
// later. It leaves a permanent error, and the end of ctx, as they are.
func notNow(ctx context.Context, err error) error {
	if class, _ := fault.Of(err); err == nil || ctx.Err() != nil || class == fault.Permanent {
		return err
	}
	return fault.AsUnavailable(err, shortWait)
}

// same reports whether no store was emptied since reach returned its epochs.
func (s Stores) same(ctx context.Context, epochs []uint64) (bool, error) {
	for i, one := range s {
		now, err := one.follower.Epoch(ctx)
		if err != nil || now != epochs[i] {
			return false, notNow(ctx, err)
		}
	}
	return true, nil
}

// loaded returns when no store is loading, or with ctx's error.
func (s Stores) loaded(ctx context.Context) error {
	for _, one := range s {
		if err := one.follower.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// progress returns the progress of the store that is furthest behind.
func (s Stores) progress() (least docstream.Progress) {
	for i, one := range s {
		p := one.follower.Progress()
		if i == 0 || behind(p, least) {
			least = p
		}
	}
	return least
}

// behind reports whether a is further behind than b: a store that does not follow
// its stream at present is furthest behind, then one that is loading, then the
// one that has read fewer documents.
func behind(a, b docstream.Progress) bool {
	rank := func(p docstream.Progress) int {
		switch {
		case p.Interrupted != "":
			return 0
		case p.Loading:
			return 1
		}
		return 2
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra < rb
	}
	return a.Applied < b.Applied
}

// Lacks says what keeps the stores from holding every document up to seq; it
// is empty if nothing does.
func (s Stores) Lacks(seq uint64) string {
	if len(s) == 0 {
		return ""
	}
	return s.progress().Lacks(seq)
}

// current fails with the reason if the stores, after a short wait, lack a document
// that is stored by now; maxBehind of them may be missing.
func (n *Node) current(ctx context.Context, maxBehind uint64) error {
	if len(n.Stores) == 0 {
		return nil
	}
	last, err := n.Log.Documents(ctx)
	if err != nil {
		return err
	}
	_, err = n.Stores.reach(ctx, last-min(last, maxBehind))
	return err
}

// Ready fails with the reason if the node does not take messages, or cannot answer
// from what is stored by now; maxBehind documents may be missing. A nil node is
// starting.
func (n *Node) Ready(ctx context.Context, maxBehind uint64) error {
	switch {
	case n == nil:
		return errors.New("starting")
	case n.Ended.Err() != nil:
		return errors.New("stopping")
	case n.Conn.NC.Status() != nats.CONNECTED:
		return fmt.Errorf("NATS connection is %s", n.Conn.NC.Status())
	}
	return n.current(ctx, maxBehind)
}
