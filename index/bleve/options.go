package bleve

import (
	"io"
	"log/slog"

	"hopstream/index"
	"hopstream/index/document"
)

// Options says how documents are cut and passages are scored. The zero value
// is useful.
type Options struct {
	// BM25 are the parameters of the scores. They may change between one
	// opening of a store and the next.
	BM25 index.BM25
	// Chunk says how documents are cut. A store made with other values is
	// emptied when it is opened, since passages would not fit together.
	Chunk document.ChunkOptions
	// Logger is told what happens to the store as a whole; nil means nobody is.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}
