//go:build real

package weaviate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"hopstream/index"
	"hopstream/index/storetest"
	"hopstream/index/weaviate/weaviatetest"
)

func open(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestRealConformance runs the suite that every store passes, in each mode.
func TestRealConformance(t *testing.T) {
	url := weaviatetest.Start(t)
	small := index.Options{ChunkSize: 60, ChunkOverlap: 10}
	for _, test := range []struct {
		name string
		opts Options
		many int
	}{
		{"bm25", Options{}, 50_000},
		{"bm25, with vectors, small batches", Options{Embedder: storetest.Embedder{}, Batch: 7, Chunk: small}, 2000},
		{"vector", Options{Embedder: storetest.Embedder{}, Mode: Vector}, 5000},
	} {
		t.Run(test.name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T, dir string) storetest.Store {
				o := test.opts
				o.URL = url
				o.Class = fmt.Sprintf("T%x", sha256.Sum256([]byte(dir)))[:20]
				o.Timeout = 30 * time.Second
				s, err := Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, storetest.Options{Chunk: test.opts.Chunk, Persistent: true, Dense: test.opts.Mode == Vector, Ties: 100, Many: test.many})
		})
	}
}
