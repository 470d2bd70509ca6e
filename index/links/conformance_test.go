package links

import (
	"testing"

	"hopstream/index/document"
	"hopstream/index/testkit/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		disk bool
		opts document.ChunkOptions
	}{
		{"memory", false, document.ChunkOptions{}},
		{"disk", true, document.ChunkOptions{}},
		{"disk, small passages", true, document.ChunkOptions{Size: 60, Overlap: 10}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T, dir string) storetest.Store {
				if !test.disk {
					dir = ""
				}
				s, err := Open(dir, Options{Chunk: test.opts})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, storetest.Options{Chunk: test.opts, Many: 5000, Persistent: test.disk})
		})
	}
}
