package vector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func TestStoreEmpty(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
		wantIDs(t, search(t, s, "anything", 5))
		wantCounts(t, s, 0, 0)
		apply(t, s, 1)
		apply(t, s, 2, gone("never there"), doc("blank", "", " \n"))
		wantCounts(t, s, 0, 0)
		apply(t, s, 3, doc("a", "", "apples"), doc("dots", "", "..."))
		wantCounts(t, s, 2, 2)
		for _, q := range []string{"", "  \n", "zebra", "!?"} {
			wantIDs(t, search(t, s, q, 5))
		}
		wantIDs(t, search(t, s, "apple", 0))
		wantIDs(t, search(t, s, "apple", -1))
		wantIDs(t, search(t, s, "apple", math.MaxInt), "a")
	})
}

func TestStoreUpdateDelete(t *testing.T) {
	t.Parallel()
	opts := func() Options {
		return Options{Embedder: embedder(), Chunk: document.ChunkOptions{Size: 40, Overlap: -1}, Batch: 2}
	}
	stores(t, opts, func(t *testing.T, s *Store) {
		ctx := context.Background()
		long := "Cherries ripen early. Cherries are red. Cherries have stones inside. Cherries grow on trees in summer."
		apply(t, s, 1, doc("a", "Apple", "Apples grow on trees."), doc("long", "Cherry", long), doc("a#1", "", "Trees grow."))
		n := len(document.Chunk(doc("long", "Cherry", long), s.opts.Chunk))
		if n < 3 {
			t.Fatalf("%d chunks", n)
		}
		wantCounts(t, s, 3, n+2)
		wantIDs(t, search(t, s, "apple", 1), "a")
		if most := s.opts.Embedder.(*words).most; most != 2 {
			t.Errorf("%d texts embedded at once, want 2", most)
		}
		if p, ok, err := s.Passage(ctx, "long#1"); err != nil || !ok || p.Title != "Cherry" || p.Text == "" || p.Score != 0 || p.Rank != 0 {
			t.Errorf("passage long#1: %+v, %v, %v", p, ok, err)
		}
		for _, id := range []string{"long", "long#99", "nothing", ""} {
			if _, ok, err := s.Passage(ctx, id); ok || err != nil {
				t.Errorf("passage %q: %v, %v", id, ok, err)
			}
		}
		// Shorter, so that it loses passages; and in one batch with an
		// earlier version, which must not count.
		apply(t, s, 2, doc("long", "", strings.Repeat("Plums. ", 100)), doc("long", "Cherry", "A cherry."))
		wantCounts(t, s, 3, 3)
		wantIDs(t, search(t, s, "cherry", 5), "long")
		wantIDs(t, search(t, s, "plums", 5))
		apply(t, s, 3, gone("a"))
		wantIDs(t, search(t, s, "apple", 5))
		wantIDs(t, search(t, s, "trees", 5), "a#1#0")
		wantCounts(t, s, 2, 2)
		apply(t, s, 4, doc("a", "", "Back."), gone("a"), gone("long"), gone("a#1"))
		wantCounts(t, s, 0, 0)
		apply(t, s, 5, doc("a", "", "Back."))
		wantIDs(t, search(t, s, "back", 5), "a")
	})
}

// TestStoreKeepsVectors: what has not changed is not embedded again.
func TestStoreKeepsVectors(t *testing.T) {
	t.Parallel()
	e := embedder()
	s := open(t, "", Options{Embedder: e, Chunk: document.ChunkOptions{Size: 40, Overlap: -1}})
	text := "Cherries ripen early.\n\nCherries are red and sweet."
	apply(t, s, 1, doc("a", "", text), doc("b", "", "other"))
	before := e.texts.Load()
	apply(t, s, 2, doc("a", "", text), doc("b", "", "other"))
	if n := e.texts.Load() - before; n != 0 {
		t.Errorf("%d texts embedded again", n)
	}
	apply(t, s, 3, doc("a", "", text+"\n\nThey have stones inside and are dear."))
	if n := e.texts.Load() - before; n != 1 {
		t.Errorf("%d texts embedded again, want 1", n)
	}
	wantCounts(t, s, 2, 4)
	wantIDs(t, search(t, s, "cherries ripen early", 1), "a#0")
	wantIDs(t, search(t, s, "stones", 1), "a#2")
}

func TestStoreScoresAndTies(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
		apply(t, s, 1, doc("red", "Red", "stone"), doc("pure", "", "stone"))
		ps, err := s.Search(context.Background(), "stone", 5)
		if err != nil || len(ps) != 2 || math.Abs(ps[0].Score-1) > 1e-6 || math.Abs(ps[1].Score-math.Sqrt(0.5)) > 1e-6 {
			t.Errorf("%+v, %v", ps, err)
		}
		var want []string
		for i := range 50 { // stored in an order other than that of the names
			apply(t, s, uint64(i), doc(fmt.Sprintf("p%02d", (i*37)%50), "", "same words"))
			want = append(want, fmt.Sprintf("p%02d", i))
		}
		wantIDs(t, search(t, s, "same words", 7), want[:7]...)
		wantIDs(t, search(t, s, "same words", 100), want...)
	})
}

func TestStoreUnicode(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
		apply(t, s, 1,
			doc("wörter/ä b.txt", "Müller", "Straße nach Łódź 🚂"),
			doc("日本", "東京", "東京は日本の首都です。"),
			doc("bad", "a\xff\x00", "broken \xc3\x28 bytes"))
		wantIDs(t, search(t, s, "MÜLLER", 5), "wörter/ä b.txt")
		wantIDs(t, search(t, s, "東京", 5), "日本")
		wantIDs(t, search(t, s, "broken \xff", 5), "bad")
		p, ok, err := s.Passage(context.Background(), "日本")
		if !ok || err != nil || p.Text != "東京は日本の首都です。" || p.Title != "東京" {
			t.Errorf("%+v %v %v", p, ok, err)
		}
	})
}

func TestStoreRefusals(t *testing.T) {
	t.Parallel()
	if _, err := Open("", Options{}); !permanent(err) {
		t.Errorf("no embedder: %v", err)
	}
	stores(t, defaults, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(context.Background())
		for _, id := range []string{"", strings.Repeat("x", messages.MaxDocID+1)} {
			err := s.Apply(ctx, []messages.Document{doc("good", "", "good"), doc(id, "", "bad")}, index.Position{Stream: "s", Sequence: 9})
			if !permanent(err) {
				t.Errorf("document ID of %d bytes: %v", len(id), err)
			}
		}
		wantCounts(t, s, 0, 0)
		if s.Position() != (index.Position{}) {
			t.Errorf("position moved to %v", s.Position())
		}
		apply(t, s, 1, doc("a", "", "apple"), doc(strings.Repeat("y", messages.MaxDocID), "", "longest"))
		if _, err := s.Near(ctx, []float32{1, 2}, 1); !permanent(err) {
			t.Errorf("vector too short: %v", err)
		}
		if _, err := s.Near(ctx, slices.Repeat([]float32{float32(math.NaN())}, 1024), 1); !permanent(err) {
			t.Errorf("vector of no numbers: %v", err)
		}
		if ps, err := s.Near(ctx, make([]float32, 1024), 1); len(ps) != 0 || err != nil {
			t.Errorf("vector of zeros: %v, %v", ps, err)
		}
		cancel()
		_, err1 := s.Search(ctx, "a", 1)
		_, err2 := s.Near(ctx, make([]float32, 1024), 1)
		_, _, err3 := s.Passage(ctx, "a")
		for _, err := range []error{err1, err2, err3, s.Apply(ctx, nil, index.Position{}), s.Reset(ctx)} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("after the end: %v", err)
			}
		}
		ctx = context.Background()
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		_, err1 = s.Search(ctx, "a", 1)
		_, err2 = s.Near(ctx, make([]float32, 1024), 1)
		_, _, err3 = s.Passage(ctx, "a")
		for _, err := range []error{err1, err2, err3, s.Apply(ctx, nil, index.Position{}), s.Reset(ctx)} {
			if !errors.Is(err, index.ErrClosed) || !permanent(err) {
				t.Errorf("closed store: %v", err)
			}
		}
	})
}

// TestStoreBadEmbedder: an error leaves the store as it was, with its class.
func TestStoreBadEmbedder(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
		e, ctx := s.opts.Embedder.(*words), context.Background()
		apply(t, s, 1, doc("a", "", "apple"))
		away := fault.AsUnavailable(errors.New("away"), 0)
		e.err = away
		err := s.Apply(ctx, []messages.Document{gone("a"), doc("b", "", "b")}, index.Position{Stream: "s", Sequence: 2})
		if class, _ := fault.Of(err); class != fault.Unavailable || !errors.Is(err, away) {
			t.Error(err)
		}
		if _, err := s.Search(ctx, "apple", 1); !errors.Is(err, away) {
			t.Error(err)
		}
		e.err = nil
		for name, fn := range map[string]func(string) []float32{
			"empty": func(string) []float32 { return nil },
			"NaN":   func(string) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, 1024) },
		} {
			e.make = fn
			err := s.Apply(ctx, []messages.Document{doc("b", "", "b")}, index.Position{Stream: "s", Sequence: 2})
			if err == nil || permanent(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		e.make = nil
		wantIDs(t, search(t, s, "apple", 5), "a")
		wantCounts(t, s, 1, 1)
		if s.Position().Sequence != 1 {
			t.Error(s.Position())
		}
		// Another length while the store is open: it starts over.
		e.dims = 512
		_, err = s.Search(ctx, "apple", 1)
		if !permanent(err) {
			t.Error(err)
		}
		err = s.Apply(ctx, []messages.Document{doc("a", "", "apple"), doc("b", "", "b")}, index.Position{Stream: "s", Sequence: 2})
		if err == nil || permanent(err) || s.Position() != (index.Position{}) {
			t.Error(err, s.Position())
		}
		wantCounts(t, s, 0, 0)
		apply(t, s, 2, doc("a", "", "apple"), doc("b", "", "b"))
		wantIDs(t, search(t, s, "apple", 5), "a")
		// All gone, the length is free again.
		apply(t, s, 3, gone("a"), gone("b"))
		e.dims = 256
		apply(t, s, 4, doc("c", "", "cherry"))
		wantIDs(t, search(t, s, "cherry", 5), "c")
	})
}

func TestStoreReset(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
		apply(t, s, 7, doc("a", "", "apples"))
		if err := s.Reset(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, s, 0, 0)
		wantIDs(t, search(t, s, "apple", 5))
		if s.Position() != (index.Position{}) {
			t.Errorf("position %v", s.Position())
		}
		apply(t, s, 1, doc("b", "", "apples"))
		wantIDs(t, search(t, s, "apple", 5), "b")
	})
}

func TestStoreReopen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "index")
	s := open(t, dir, Options{EmbedderName: "words"})
	long := strings.Repeat("Pears are sweet. ", 300)
	apply(t, s, 5, doc("a", "T", "apples and pears"), doc("b", "", "pears"), doc("long", "Long", long), doc("x", "", "x"))
	apply(t, s, 6, doc("b", "", "plums"), gone("x"))
	before, _ := s.Search(context.Background(), "pears apples", 5)
	documents, passages := s.Documents(), s.Passages()
	if _, err := Open(dir, defaults()); !permanent(err) || !strings.Contains(err.Error(), "in use") {
		t.Errorf("opened twice: %v", err)
	}
	closeIt := func() {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	closeIt()
	s = open(t, dir, Options{EmbedderName: "words"})
	wantCounts(t, s, documents, passages)
	if want := (index.Position{Stream: "s", Sequence: 6}); s.Position() != want {
		t.Errorf("position %v, want %v", s.Position(), want)
	}
	after, _ := s.Search(context.Background(), "pears apples", 5)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	closeIt()
	// With the embedder away it opens all the same.
	s = open(t, dir, Options{EmbedderName: "words", Embedder: &words{err: errors.New("away")}})
	wantCounts(t, s, documents, passages)
	closeIt()
	// What does not fit makes the store start again.
	for _, o := range []Options{
		{EmbedderName: "words", Embedder: &words{dims: 64}},
		{EmbedderName: "other words"},
		{EmbedderName: "other words", Chunk: document.ChunkOptions{Size: 100}},
	} {
		s = open(t, dir, o)
		wantCounts(t, s, 0, 0)
		if s.Position() != (index.Position{}) {
			t.Errorf("position %v", s.Position())
		}
		apply(t, s, 1, doc("a", "", "apples"))
		closeIt()
	}
	if err := os.WriteFile(filepath.Join(dir, "vectors.db"), []byte(strings.Repeat("no index", 4096)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, defaults()); !permanent(err) || !strings.Contains(err.Error(), "delete that folder") {
		t.Errorf("damaged: %v", err)
	}
}

func TestDecodeCutShort(t *testing.T) {
	t.Parallel()
	c := change{id: "d", passages: document.Chunk(doc("d", "Title", "text"), document.ChunkOptions{}), vectors: [][]float32{{1, 2, 3}}}
	raw := c.encode()
	if got, err := decode("d", raw); err != nil || !reflect.DeepEqual(got.passages, c.passages) || !slices.Equal(got.vectors[0], c.vectors[0]) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range raw {
		if _, err := decode("d", raw[:n]); err == nil {
			t.Errorf("%d of %d bytes make a document", n, len(raw))
		}
	}
}

// TestStoreConcurrent searches while documents come in, are replaced, and the
// store is emptied: every result must be one that was true at some moment.
func TestStoreConcurrent(t *testing.T) {
	t.Parallel()
	stores(t, defaults, func(t *testing.T, s *Store) {
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
					ps, err := s.Search(context.Background(), "common number words", 5)
					if err != nil {
						t.Error(err)
						return
					}
					for i, p := range ps {
						if !strings.Contains(p.Text, "common") || i > 0 && p.Score > ps[i-1].Score {
							t.Errorf("result %d: %+v", i, p)
						}
						if _, _, err := s.Passage(context.Background(), p.ID); err != nil {
							t.Error(err)
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
			apply(t, s, uint64(round), docs...)
			if round == 4 {
				if err := s.Reset(context.Background()); err != nil {
					t.Error(err)
				}
			}
		}
		close(done)
		wg.Wait()
		wantCounts(t, s, 60-12, 60-12)
	})
}

// TestStoreCompacts changes documents at random until slots were compacted
// several times, and compares with a map.
func TestStoreCompacts(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "index"), Options{Embedder: &words{dims: 64}})
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[string]string{}
	compacted := 0
	for round := range 40 {
		var docs []messages.Document
		for range 200 {
			id := fmt.Sprint("d", rng.IntN(1500))
			d := doc(id, "", fmt.Sprintf("text %d word%d", round, rng.IntN(100)))
			d.Deleted = rng.IntN(5) == 0
			docs = append(docs, d)
		}
		before := s.now.rows()
		apply(t, s, uint64(round), docs...)
		if s.now.rows() < before {
			compacted++
		}
		for _, d := range docs {
			if want[d.ID] = d.Text; d.Deleted {
				delete(want, d.ID)
			}
		}
	}
	if compacted < 2 {
		t.Errorf("compacted %d times", compacted)
	}
	check := func() {
		t.Helper()
		wantCounts(t, s, len(want), len(want))
		for id, text := range want {
			if p, ok, err := s.Passage(context.Background(), id); !ok || err != nil || p.Text != text {
				t.Fatalf("%s: %+v, %v, %v; want %q", id, p, ok, err, text)
			}
		}
		for _, p := range must(s.Search(context.Background(), "text 3 word7", len(want)+5)) {
			if want[p.ID] != p.Text {
				t.Errorf("found %+v, which is %q", p, want[p.ID])
			}
		}
	}
	check()
	dir := s.dir
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{Embedder: &words{dims: 64}})
	check()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
