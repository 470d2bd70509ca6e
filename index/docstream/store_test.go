package docstream

import (
	"testing"

	"go.uber.org/goleak"

	"hopstream/index/bleve"
	"hopstream/index/testkit/storetest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Bleve starts these once, when the program starts, and never ends them.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

// What the tests of all stores share.
var (
	doc        = storetest.Doc
	permanent  = storetest.Permanent
	wantCounts = storetest.WantCounts
)

// The stores that are followed here are word stores.

func openTest(tb testing.TB, dir string) *bleve.Store {
	tb.Helper()
	b, err := bleve.Open(dir, bleve.Options{})
	return storetest.Opened(tb, b, err)
}

// stores runs fn over a store in memory and one on disk.
func stores(t *testing.T, fn func(t *testing.T, b *bleve.Store)) {
	storetest.MemoryAndDisk(t, func(t *testing.T, dir string) { fn(t, openTest(t, dir)) })
}

// wantFound wants query to find the documents called ids, best first.
func wantFound(tb testing.TB, b *bleve.Store, query string, ids ...string) {
	tb.Helper()
	storetest.WantIDs(tb, storetest.IDs(tb, b, query, 3), ids...)
}
