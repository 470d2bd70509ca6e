package links

import (
	"testing"

	"hopstream/index"
	"hopstream/index/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		disk bool
		opts index.Options
	}{
		{"memory", false, index.Options{}},
		{"disk", true, index.Options{}},
		{"disk, small passages", true, index.Options{ChunkSize: 60, ChunkOverlap: 10}},
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
