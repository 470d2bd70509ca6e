package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// stores runs fn over every kind of store. reopen closes the store and opens
// it again; in memory that is an empty one.
func stores(t *testing.T, opts Options, fn func(t *testing.T, b *Bleve)) {
	for _, kind := range []string{"memory", "disk"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := ""
			if kind == "disk" {
				dir = filepath.Join(t.TempDir(), "index")
			}
			fn(t, openTest(t, dir, opts))
		})
	}
}

func apply(tb testing.TB, b *Bleve, seq uint64, docs ...messages.Document) {
	tb.Helper()
	if err := b.Apply(context.Background(), docs, Position{"s", seq}); err != nil {
		tb.Fatal(err)
	}
}

func doc(id, title, text string) messages.Document {
	return messages.Document{ID: id, Title: title, Text: text}
}

func search(tb testing.TB, b *Bleve, query string, k int) []string {
	tb.Helper()
	ps, err := b.Search(context.Background(), query, k)
	if err != nil {
		tb.Fatal(err)
	}
	var ids []string
	for i, p := range ps {
		if p.Rank != i+1 || !(p.Score > 0) {
			tb.Errorf("result %d of %q has rank %d, score %v", i+1, query, p.Rank, p.Score)
		}
		ids = append(ids, p.ID)
	}
	return ids
}

func wantIDs(tb testing.TB, got []string, want ...string) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("found %v, want %v", got, want)
	}
}

func wantCounts(tb testing.TB, b *Bleve, documents, passages int) {
	tb.Helper()
	if b.Documents() != documents || b.Passages() != passages {
		tb.Errorf("%d documents in %d passages, want %d in %d", b.Documents(), b.Passages(), documents, passages)
	}
}

func TestStoreEmpty(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		wantIDs(t, search(t, b, "anything", 5))
		wantCounts(t, b, 0, 0)
		apply(t, b, 1)
		apply(t, b, 2, messages.Document{ID: "never there", Deleted: true}, doc("blank", "", " \n"))
		wantCounts(t, b, 0, 0)
		apply(t, b, 3, doc("a", "", "apples"))
		for _, q := range []string{"", "  \n", "the of and", "zebra", "!?"} {
			wantIDs(t, search(t, b, q, 5))
		}
		wantIDs(t, search(t, b, "apple", 0))
		wantIDs(t, search(t, b, "apple", -1))
		wantIDs(t, search(t, b, "apple", math.MaxInt), "a")
	})
}

func TestStoreUpdateDelete(t *testing.T) {
	t.Parallel()
	stores(t, Options{ChunkSize: 40, ChunkOverlap: -1}, func(t *testing.T, b *Bleve) {
		ctx := context.Background()
		long := "Cherries ripen early. Cherries are red. Cherries have stones inside. Cherries grow on trees in summer."
		apply(t, b, 1, doc("a", "Apple", "Apples grow on trees."), doc("long", "Cherry", long), doc("a#1", "", "Trees grow."))
		n := len(Chunk(doc("long", "Cherry", long), b.opts))
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
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
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

func TestStoreTies(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		var want []string
		for i := range 50 { // stored in an order other than that of the names
			id := fmt.Sprintf("p%02d", (i*37)%50)
			apply(t, b, uint64(i), doc(id, "", "same words"))
			want = append(want, fmt.Sprintf("p%02d", i))
		}
		wantIDs(t, search(t, b, "same words", 7), want[:7]...)
		wantIDs(t, search(t, b, "same words", 100), want...)
	})
}

func TestStoreUnicode(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		apply(t, b, 1,
			doc("wörter/ä b.txt", "Müller", "Straße nach Łódź 🚂"),
			doc("日本", "東京", "東京は日本の首都です。"),
			doc("bad", "a\xff\x00", "broken \xc3\x28 bytes"))
		wantIDs(t, search(t, b, "MÜLLER", 5), "wörter/ä b.txt")
		wantIDs(t, search(t, b, "東京", 5), "日本")
		wantIDs(t, search(t, b, "broken \xff", 5), "bad")
		p, ok, err := b.Passage(context.Background(), "日本")
		if !ok || err != nil || p.Text != "東京は日本の首都です。" || p.Title != "東京" {
			t.Errorf("%+v %v %v", p, ok, err)
		}
	})
}

func TestStoreRefusals(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		ctx, cancel := context.WithCancel(context.Background())
		if err := b.Apply(ctx, []messages.Document{{Text: "no ID"}}, Position{"s", 9}); !permanent(err) {
			t.Errorf("document without ID: %v", err)
		}
		if b.Position() != (Position{}) {
			t.Errorf("position moved to %v", b.Position())
		}
		cancel()
		if err := b.Apply(ctx, nil, Position{}); !errors.Is(err, context.Canceled) {
			t.Errorf("apply: %v", err)
		}
		if _, err := b.Search(ctx, "a", 1); !errors.Is(err, context.Canceled) {
			t.Errorf("search: %v", err)
		}
		ctx = context.Background()
		if err := errors.Join(b.Close(), b.Close()); err != nil {
			t.Fatal(err)
		}
		_, err1 := b.Search(ctx, "a", 1)
		_, _, err2 := b.Passage(ctx, "a")
		for _, err := range []error{err1, err2, b.Apply(ctx, nil, Position{}), b.Reset(ctx)} {
			if !errors.Is(err, ErrClosed) || !permanent(err) {
				t.Errorf("closed store: %v", err)
			}
		}
	})
}

func permanent(err error) bool {
	class, _ := fault.Of(err)
	return err != nil && class == fault.Permanent
}

func TestStoreReset(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		apply(t, b, 7, doc("a", "", "apples"))
		if err := b.Reset(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, b, 0, 0)
		wantIDs(t, search(t, b, "apple", 5))
		if b.Position() != (Position{}) {
			t.Errorf("position %v", b.Position())
		}
		apply(t, b, 1, doc("b", "", "apples"))
		wantIDs(t, search(t, b, "apple", 5), "b")
	})
}

func TestStoreReopen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "index")
	b := openTest(t, dir, Options{})
	apply(t, b, 5, doc("a", "", "apples and pears"), doc("b", "", "pears"))
	apply(t, b, 6, doc("b", "", "plums"))
	before, _ := b.Search(context.Background(), "pears apples", 5)
	if _, err := OpenBleve(dir, Options{}); !permanent(err) || !strings.Contains(err.Error(), "in use") {
		t.Errorf("opened twice: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openTest(t, dir, Options{})
	wantCounts(t, b, 2, 2)
	if want := (Position{"s", 6}); b.Position() != want {
		t.Errorf("position %v, want %v", b.Position(), want)
	}
	after, _ := b.Search(context.Background(), "pears apples", 5)
	if !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	_ = b.Close()
	// Other chunks do not fit: the store starts again.
	b = openTest(t, dir, Options{ChunkSize: 100})
	wantCounts(t, b, 0, 0)
	_ = b.Close()
	// Nor does an index without its description.
	if err := os.Remove(filepath.Join(dir, "index_meta.json")); err != nil {
		t.Fatal(err)
	}
	b = openTest(t, dir, Options{ChunkSize: 100})
	wantCounts(t, b, 0, 0)
	_ = b.Close()
	if err := os.WriteFile(filepath.Join(dir, "index_meta.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBleve(dir, Options{}); err == nil || !strings.Contains(err.Error(), "delete that folder") {
		t.Errorf("damaged: %v", err)
	}
}

// TestStoreConcurrent searches while documents come in, are replaced, and the
// store is emptied: every result must be one that was true at some moment.
func TestStoreConcurrent(t *testing.T) {
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		done := make(chan struct{})
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					ps, err := b.Search(context.Background(), "common number words", 5)
					if err != nil {
						t.Error(err)
						return
					}
					for i, p := range ps {
						if !strings.Contains(p.Text, "common") || i > 0 && p.Score > ps[i-1].Score {
							t.Errorf("result %d: %+v", i, p)
						}
					}
				}
			})
		}
		for round := range 8 {
			docs := make([]messages.Document, 60)
			for i := range docs {
				docs[i] = doc(fmt.Sprint("d", i), "", fmt.Sprintf("common words number %d of round %d", i, round))
				docs[i].Deleted = (i+round)%5 == 0
			}
			apply(t, b, uint64(round), docs...)
			if round == 4 {
				if err := b.Reset(context.Background()); err != nil {
					t.Error(err)
				}
			}
		}
		close(done)
		wg.Wait()
		wantCounts(t, b, 60-12, 60-12)
	})
}

func TestStoreMany(t *testing.T) {
	if testing.Short() {
		t.Skip("50,000 passages take a few seconds")
	}
	t.Parallel()
	stores(t, Options{}, func(t *testing.T, b *Bleve) {
		const n = 50_000
		for at := 0; at < n; at += 1000 {
			docs := make([]messages.Document, 1000)
			for i := range docs {
				docs[i] = doc(fmt.Sprintf("p%05d", at+i), "", fmt.Sprintf("word%d and word%d, all of them alike", (at+i)%997, (at+i)%7))
			}
			apply(t, b, uint64(at), docs...)
		}
		wantCounts(t, b, n, n)
		wantIDs(t, search(t, b, "word996 word6", 3), "p06978", "p13957", "p20936")
		wantIDs(t, search(t, b, "alike", 3), "p00000", "p00001", "p00002")
	})
}
