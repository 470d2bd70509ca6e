package bleve

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/testkit/storetest"
	"hopstream/messages"
)

// What the tests of all stores share.
var (
	apply      = storetest.Apply
	doc        = storetest.Doc
	permanent  = storetest.Permanent
	search     = storetest.IDs
	wantCounts = storetest.WantCounts
	wantIDs    = storetest.WantIDs
)

func openTest(tb testing.TB, dir string, opts Options) *Store {
	tb.Helper()
	b, err := Open(dir, opts)
	return storetest.Opened(tb, b, err)
}

// stores runs fn over a store in memory and one on disk.
func stores(t *testing.T, opts Options, fn func(t *testing.T, b *Store)) {
	storetest.MemoryAndDisk(t, func(t *testing.T, dir string) { fn(t, openTest(t, dir, opts)) })
}

// What every store must do is in storetest; here is what only this one does.

func TestStoreWords(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Store) {
		apply(t, b, 1, doc("a", "", "apples of the tree"))
		wantIDs(t, search(t, b, "Apple", 5), "a")
		wantIDs(t, search(t, b, "the of", 5))
	})
}

func TestStoreUpdateDelete(t *testing.T) {
	t.Parallel()
	stores(t, Options{Chunk: document.ChunkOptions{Size: 40, Overlap: -1}}, func(t *testing.T, b *Store) {
		ctx := context.Background()
		long := "Cherries ripen early. Cherries are red. Cherries have stones inside. Cherries grow on trees in summer."
		apply(t, b, 1, doc("a", "Apple", "Apples grow on trees."), doc("long", "Cherry", long), doc("a#1", "", "Trees grow."))
		n := len(document.Chunk(doc("long", "Cherry", long), b.opts.Chunk))
		if n < 3 {
			t.Fatalf("%d chunks", n)
		}
		wantCounts(t, b, 3, n+2)
		wantIDs(t, search(t, b, "apple", 5), "a")
		if p, ok, err := b.Passage(ctx, "long#1"); err != nil || !ok || p.Title != "Cherry" || p.Text == "" {
			t.Errorf("passage long#1: %+v, %v, %v", p, ok, err)
		}
		if _, ok, err := b.Passage(ctx, "long"); ok || err != nil {
			t.Errorf("passage long: %v, %v", ok, err)
		}
		// Shorter, so that it loses passages; and in one batch with an
		// earlier version, which must not count.
		apply(t, b, 2, doc("long", "", strings.Repeat("Plums. ", 100)), doc("long", "Cherry", "A cherry."))
		wantCounts(t, b, 3, 3)
		wantIDs(t, search(t, b, "cherries", 5), "long")
		wantIDs(t, search(t, b, "plums", 5))
		apply(t, b, 3, messages.Document{ID: "a", Deleted: true})
		wantIDs(t, search(t, b, "apple", 5))
		wantIDs(t, search(t, b, "trees", 5), "a#1#0")
		wantCounts(t, b, 2, 2)
		apply(t, b, 4, doc("a", "", "Back."), messages.Document{ID: "a", Deleted: true}, messages.Document{ID: "long", Deleted: true}, messages.Document{ID: "a#1", Deleted: true})
		wantCounts(t, b, 0, 0)
		if got := b.state.Load().totals; got != (totals{}) {
			t.Errorf("an empty store has totals %+v", got)
		}
	})
}

// TestStoreScores compares with BM25 computed by hand, after updates and
// deletes that leave gaps among the passages.
func TestStoreScores(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Store) {
		apply(t, b, 1, doc("x", "", "red red red"), doc("a", "Red", "stone"), doc("b", "", "red red stone wall here"), doc("c", "", "tree"))
		apply(t, b, 2, doc("c", "", "old tree"), messages.Document{ID: "x", Deleted: true})
		apply(t, b, 3, doc("d", "", "tall tree"), doc("b", "", "red red stone wall")) // "here" is a stop word
		n, avg := 4.0, (2+4+2+2)/4.0
		bm25 := func(df, f, length float64) float64 {
			return math.Log(1+(n-df+0.5)/(df+0.5)) * f * 2.2 / (f + 1.2*(0.25+0.75*length/avg))
		}
		ps, err := b.Search(context.Background(), "Red, red stones?", 10)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{
			"a": 2*bm25(2, 1, 2) + bm25(2, 1, 2),
			"b": 2*bm25(2, 2, 4) + bm25(2, 1, 4),
		}
		if len(ps) != 2 {
			t.Fatalf("found %v", ps)
		}
		for _, p := range ps {
			if math.Abs(p.Score-want[p.ID]) > 1e-9 {
				t.Errorf("%s scores %v, want %v", p.ID, p.Score, want[p.ID])
			}
		}
	})
}

func TestStoreReopen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "index")
	b := openTest(t, dir, Options{})
	apply(t, b, 5, doc("a", "", "apples and pears"), doc("b", "", "pears"))
	apply(t, b, 6, doc("b", "", "plums"))
	before, _ := b.Search(context.Background(), "pears apples", 5)
	if _, err := Open(dir, Options{}); !permanent(err) || !strings.Contains(err.Error(), "in use") {
		t.Errorf("opened twice: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openTest(t, dir, Options{})
	wantCounts(t, b, 2, 2)
	if want := (index.Position{Stream: "s", Sequence: 6}); b.Position() != want {
		t.Errorf("position %v, want %v", b.Position(), want)
	}
	after, _ := b.Search(context.Background(), "pears apples", 5)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	_ = b.Close()
	// Other chunks do not fit: the store starts again.
	b = openTest(t, dir, Options{Chunk: document.ChunkOptions{Size: 100}})
	wantCounts(t, b, 0, 0)
	_ = b.Close()
	// Nor does an index without its description.
	if err := os.Remove(filepath.Join(dir, "index_meta.json")); err != nil {
		t.Fatal(err)
	}
	b = openTest(t, dir, Options{Chunk: document.ChunkOptions{Size: 100}})
	wantCounts(t, b, 0, 0)
	_ = b.Close()
	if err := os.WriteFile(filepath.Join(dir, "index_meta.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "delete that folder") {
		t.Errorf("damaged: %v", err)
	}
}
