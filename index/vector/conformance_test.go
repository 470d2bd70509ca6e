package vector

import (
	"testing"

	"hopstream/index/document"
	"hopstream/index/testkit/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		disk  bool
		exact int
		chunk document.ChunkOptions
	}{
		{"memory", false, 0, document.ChunkOptions{}},
		{"disk", true, 0, document.ChunkOptions{}},
		{"approximate", false, 1, document.ChunkOptions{}},
		{"disk, small passages", true, 0, document.ChunkOptions{Size: 60, Overlap: 10}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T, dir string) storetest.Store {
				if !test.disk {
					dir = ""
				}
				s, err := Open(dir, Options{Embedder: storetest.Embedder{}, Exact: test.exact, Chunk: test.chunk})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, storetest.Options{
				Chunk: test.chunk, Persistent: test.disk, Dense: true, Many: 2000,
				// Any number, in fact: but texts that are equally good to an
				// index of words are not to one of vectors.
				Ties: 1000,
			})
		})
	}
}
