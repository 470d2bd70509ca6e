package index

import (
	"context"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Store holds the passages of all documents. A follower (package docstream)
// fills it, and a retriever searches it. Every store passes the tests of
// package testkit/storetest.
type Store interface {
	// Apply stores docs (and removes deleted ones) together with the
	// position reached, all or nothing.
	Apply(ctx context.Context, docs []messages.Document, position Position) error
	// Position returns how far the store has read.
	Position() Position
	// Reset empties the store and its position.
	Reset(ctx context.Context) error
	// Search returns the k best passages for query, best first.
	Search(ctx context.Context, query string, k int) ([]messages.Passage, error)
}

// Position is how far a store has read the document stream. The zero value is
// the position of a store that has read nothing.
type Position struct {
	// Stream identifies the stream: a stream that was deleted and made again
	// counts its messages from 1 again.
	Stream string `json:"stream"`
	// Sequence is that of the last message applied.
	Sequence uint64 `json:"sequence"`
}

// ErrClosed is returned by every method of a closed store. It is permanent.
var ErrClosed = fault.Permanentf("index is closed")
