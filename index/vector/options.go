package vector

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"

	"hopstream/index/document"
	"hopstream/index/searcher"
)

const (
	// DefaultExact is the default of Options.Exact.
	DefaultExact = 20_000
	// DefaultBatch is how many texts the embedder is given at once.
	DefaultBatch = 64
)

// Options says where vectors come from and how they are searched. Only the
// embedder has no default.
type Options struct {
	// Embedder makes the vectors, of passages and of queries.
	Embedder searcher.Embedder
	// EmbedderName tells one embedder's vectors from another's. A store made
	// under another name is emptied when it is opened.
	EmbedderName string
	// Exact is the largest number of passages at which the query is compared
	// with every vector. Above it, only the vectors with the most similar
	// sketches are compared, which is faster and hardly ever misses one. 0 means
	// DefaultExact; with a negative value search is always exact.
	Exact int
	// Batch is the most texts embedded at once; 0 means DefaultBatch.
	Batch int
	// Chunk says how documents are cut. A store made with other chunks is
	// emptied when it is opened.
	Chunk document.ChunkOptions
	// Logger gets what happens to the store as a whole; nil discards it.
	Logger *slog.Logger
}

func (o Options) withDefaults() (Options, error) {
	if o.Embedder == nil {
		return o, errors.New("a vector store needs an embedder")
	}
	switch {
	case o.Exact == 0:
		o.Exact = DefaultExact
	case o.Exact < 0:
		o.Exact = math.MaxInt
	}
	if o.Batch <= 0 {
		o.Batch = DefaultBatch
	}
	o.Chunk = o.Chunk.WithDefaults()
	o.Chunk.Overlap = max(o.Chunk.Overlap, -1) // all negative values mean the same
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o, nil
}

// version is that of how passages are stored. A store of another one is
// emptied when it is opened, and filled again from the stream.
const version = 2

// format says what the contents of a store depend on besides the documents.
func (o Options) format() string {
	return fmt.Sprintf("%d %s %s", version, o.Chunk.Cut(), o.EmbedderName)
}
