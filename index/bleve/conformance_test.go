package bleve_test

import (
	"testing"

	"hopstream/index/bleve"
	"hopstream/index/document"
	"hopstream/index/testkit/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		disk bool
		opts bleve.Options
	}{
		{"memory", false, bleve.Options{}},
		{"disk", true, bleve.Options{}},
		{"disk, small passages", true, bleve.Options{Chunk: document.ChunkOptions{Size: 60, Overlap: 10}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T, dir string) storetest.Store {
				if !test.disk {
					dir = ""
				}
				b, err := bleve.Open(dir, test.opts)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}, storetest.Options{Chunk: test.opts.Chunk, Persistent: test.disk})
		})
	}
}
