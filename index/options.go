package index

import (
	"fmt"
	"io"
	"log/slog"
)

const (
	// DefaultChunkSize is the length of a passage in characters. Nearly every
	// paragraph of a reference work is shorter and stays whole.
	DefaultChunkSize = 1600
	// DefaultChunkOverlap is how many characters two neighbouring passages
	// share, so that a fact on the border is whole in one of them.
	DefaultChunkOverlap = 200
	// DefaultK1 and DefaultB are BM25's usual parameters.
	DefaultK1 = 1.2
	DefaultB  = 0.75
)

// Options says how documents are cut and passages are scored. The zero value
// is useful.
type Options struct {
	// K1 and B are BM25's parameters; zero means the default, and a negative
	// value means zero.
	K1, B float64
	// ChunkSize and ChunkOverlap are in characters; zero means the default,
	// and a negative overlap means none. A store made with other values is
	// emptied when it is opened, since passages would not fit together.
	ChunkSize, ChunkOverlap int
	// Logger is told what happens to the store as a whole; nil means nobody is.
	Logger *slog.Logger

	complete bool // the defaults are filled in: zero means zero
}

func (o Options) withDefaults() Options {
	if o.complete {
		return o
	}
	o.complete = true
	o.K1 = orDefault(o.K1, DefaultK1)
	o.B = min(orDefault(o.B, DefaultB), 1)
	if o.ChunkSize <= 0 {
		o.ChunkSize = DefaultChunkSize
	}
	switch {
	case o.ChunkOverlap == 0:
		o.ChunkOverlap = DefaultChunkOverlap
	case o.ChunkOverlap < 0:
		o.ChunkOverlap = 0
	}
	// Every chunk is at least half the size, so less than half of overlap
	// keeps the next one moving on.
	o.ChunkOverlap = min(o.ChunkOverlap, (o.ChunkSize-1)/2)
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}

// Cut names how documents are cut: stores whose names differ hold other
// passages of the same documents.
func (o Options) Cut() string {
	o = o.withDefaults()
	return fmt.Sprintf("%d/%d", o.ChunkSize, o.ChunkOverlap)
}

func orDefault(v, def float64) float64 {
	switch {
	case v == 0 || v != v:
		return def
	case v < 0:
		return 0
	}
	return v
}
