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
		opts index.Options
	}{
		{"default", index.Options{}},
		{"small passages", index.Options{ChunkSize: 60, ChunkOverlap: 10}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T, _ string) storetest.Store {
				s, err := Open(Options{Chunk: test.opts})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, storetest.Options{Chunk: test.opts, Many: 5000})
		})
	}
}
