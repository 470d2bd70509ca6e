package docstream

import (
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"hopstream/index/bleve"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Bleve starts these once, when the program starts, and never ends them.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

// The stores that are followed here are word stores.

func stores(t *testing.T, fn func(t *testing.T, b *bleve.Store)) {
	for _, kind := range []string{"memory", "disk"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := ""
			if kind == "disk" {
				dir = filepath.Join(t.TempDir(), "index")
			}
			fn(t, openTest(t, dir))
		})
	}
}

func openTest(tb testing.TB, dir string) *bleve.Store {
	tb.Helper()
	b, err := bleve.Open(dir, bleve.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := b.Close(); err != nil {
			tb.Error(err)
		}
	})
	return b
}

func doc(id, title, text string) messages.Document {
	return messages.Document{ID: id, Title: title, Text: text}
}

func wantCounts(tb testing.TB, b *bleve.Store, documents, passages int) {
	tb.Helper()
	if b.Documents() != documents || b.Passages() != passages {
		tb.Errorf("%d documents in %d passages, want %d in %d", b.Documents(), b.Passages(), documents, passages)
	}
}

// wantFound wants query to find the documents called ids, best first.
func wantFound(tb testing.TB, b *bleve.Store, query string, ids ...string) {
	tb.Helper()
	found, err := b.Search(within(tb), query, 3)
	if err != nil {
		tb.Fatal(err)
	}
	var got []string
	for _, p := range found {
		got = append(got, p.ID)
	}
	if !slices.Equal(got, ids) {
		tb.Errorf("%q finds %v, want %v", query, got, ids)
	}
}

func permanent(err error) bool {
	class, _ := fault.Of(err)
	return err != nil && class == fault.Permanent
}
