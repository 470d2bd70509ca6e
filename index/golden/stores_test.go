package golden_test

import (
	"errors"
	"slices"
	"testing"

	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/index/links"
	"hopstream/index/testkit/publictest"
	"hopstream/index/vector"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/roles"
)

// stores are one corpus in every kind of index.
type stores struct {
	engine  *roles.Set
	words   *bleve.Store
	links   *links.Store
	vectors *vector.Store
}

// openStores indexes a set's documents.
func openStores(t *testing.T, s set) *stores {
	t.Helper()
	docs := publictest.Documents(t, s.name)
	st := &stores{engine: builtin.New(builtin.Options{})}
	var err error
	if st.words, err = bleve.Open("", bleve.Options{}); err != nil {
		t.Fatal(err)
	}
	if st.links, err = links.Open("", links.Options{}); err != nil {
		t.Fatal(err)
	}
	if st.vectors, err = vector.Open("", vector.Options{Embedder: st.engine, EmbedderName: "builtin"}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for batch := range slices.Chunk(docs, 1000) {
		n += len(batch)
		for _, store := range []index.Store{st.words, st.links, st.vectors} {
			if err := store.Apply(t.Context(), batch, index.Position{Stream: "golden", Sequence: uint64(n)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return st
}

// close lets go of a corpus's memory before the next one is read.
func (st *stores) close(t *testing.T) {
	if err := errors.Join(st.words.Close(), st.links.Close(), st.vectors.Close()); err != nil {
		t.Error(err)
	}
}
