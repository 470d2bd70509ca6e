//go:build real

package weaviate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/testkit/storetest"
	"hopstream/index/weaviate/weaviatetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func open(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What the tests of all stores share.
var (
	apply = storetest.Apply
	doc   = storetest.Doc
)

func wantIDs(t testing.TB, s *Store, query string, want ...string) {
	t.Helper()
	ps, err := s.Search(context.Background(), query, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got := idsOf(ps); !slices.Equal(got, want) {
		t.Errorf("%q finds %v, want %v", query, got, want)
	}
}

// TestRealConformance runs the suite that every store passes, in each mode.
func TestRealConformance(t *testing.T) {
	url := weaviatetest.Start(t)
	small := document.ChunkOptions{Size: 60, Overlap: 10}
	for _, test := range []struct {
		name string
		opts Options
		many int
	}{
		{"bm25", Options{}, 50_000},
		{"bm25, with vectors, small batches", Options{Embedder: storetest.Embedder{}, Batch: 7, Chunk: small}, 500},
		{"vector", Options{Embedder: storetest.Embedder{}, Mode: Vector}, 1000},
		{"hybrid", Options{Embedder: storetest.Embedder{}, Mode: Hybrid}, 1000},
	} {
		t.Run(test.name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T, dir string) storetest.Store {
				o := test.opts
				o.URL = url
				o.Class = fmt.Sprintf("T%x", sha256.Sum256([]byte(dir)))[:20]
				o.Timeout = 30 * time.Second
				s, err := Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}, storetest.Options{Chunk: test.opts.Chunk, Persistent: true, Dense: test.opts.Mode == Vector || test.opts.Mode == Hybrid, Ties: 100, Many: test.many})
		})
	}
}

// TestRealRestart: a server that was killed is found again, with all that it
// had, by a store that stayed open.
func TestRealRestart(t *testing.T) {
	server := weaviatetest.New(t)
	s := open(t, Options{URL: server.URL, Embedder: storetest.Embedder{}, Timeout: 10 * time.Second})
	apply(t, s, 3, doc("a", "Amber", "amber stone"), doc("b", "", "stone"))
	server.Stop()
	_, err := s.Search(t.Context(), "amber", 3)
	wantClass(t, "search", err, fault.Unavailable, "")
	wantClass(t, "apply", s.Apply(t.Context(), []messages.Document{doc("c", "", "amber")}, index.Position{Stream: "s", Sequence: 4}), fault.Unavailable, "")
	wantClass(t, "ready", s.Ready(t.Context()), fault.Unavailable, "")
	if s.Position().Sequence != 3 {
		t.Errorf("position %v", s.Position())
	}
	server.Start()
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, s, "amber", "a")
	apply(t, s, 4, doc("c", "", "amber only"))
	again := open(t, Options{URL: server.URL, Embedder: storetest.Embedder{}, Mode: Vector})
	if again.Position().Sequence != 4 || again.Passages() != 3 || again.Documents() != 3 {
		t.Errorf("position %v, %d passages of %d documents", again.Position(), again.Passages(), again.Documents())
	}
	ps, err := again.Search(t.Context(), "Amber amber stone", 1)
	if err != nil || len(ps) != 1 || ps[0].ID != "a" || ps[0].Score < 0.99 {
		t.Errorf("%v, %v", ps, err)
	}
}

// TestRealKilled: the server dies between storing passages and writing their
// vectors to its log. The same batch again mends that.
func TestRealKilled(t *testing.T) {
	server := weaviatetest.New(t)
	s := open(t, Options{URL: server.URL, Embedder: storetest.Embedder{}, Mode: Vector})
	apply(t, s, 1, doc("old", "", "amber"))
	docs := make([]messages.Document, 50)
	for i := range docs {
		docs[i] = doc(fmt.Sprint("d", i), "", fmt.Sprint("amber number ", i))
	}
	found := func() int {
		ps, err := s.Search(t.Context(), "amber", 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(ps)
	}
	// As far as Apply comes before the server dies.
	changes, err := s.prepare(docs)
	if err != nil {
		t.Fatal(err)
	}
	st := *s.state.Load()
	if err := s.begin(t.Context(), &st, changes, index.Position{Stream: "s", Sequence: 51}); err != nil {
		t.Fatal(err)
	}
	var entries []entry
	for _, c := range changes {
		entries = append(entries, entry{c.passages[0], uuid(c.id), c.id, hashOf(c.passages[0], 1), 0, 1})
	}
	vectors, err := s.embed(t.Context(), entries, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.put(t.Context(), entries, vectors); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	server.Start()
	t.Logf("of %d passages, %d have their vectors", s.Passages(), found())
	apply(t, s, 20, docs[:20]...) // the stream comes in other batches this time
	apply(t, s, 51, docs[20:]...)
	if n := found(); n != 51 || s.Passages() != 51 {
		t.Errorf("%d of %d passages are found, want 51", n, s.Passages())
	}
	server.Stop()
	server.Start()
	if n := found(); n != 51 {
		t.Errorf("%d passages are found after another restart, want 51", n)
	}
}

// TestRealKey: a server that asks for a key.
func TestRealKey(t *testing.T) {
	url := weaviatetest.New(t, "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=false", "AUTHENTICATION_APIKEY_ENABLED=true",
		"AUTHENTICATION_APIKEY_ALLOWED_KEYS=right,reader", "AUTHENTICATION_APIKEY_USERS=admin,reader",
		"AUTHORIZATION_ADMINLIST_ENABLED=true", "AUTHORIZATION_ADMINLIST_USERS=admin", "AUTHORIZATION_ADMINLIST_READONLY_USERS=reader").URL
	for _, key := range []string{"", "wrong"} {
		_, err := Open(t.Context(), Options{URL: url, APIKey: key})
		wantClass(t, "key "+key, err, fault.Permanent, "set the Weaviate API key")
	}
	s := open(t, Options{URL: url, APIKey: "right"})
	apply(t, s, 1, doc("a", "", "amber"))
	wantIDs(t, s, "amber", "a")
	reader := open(t, Options{URL: url, APIKey: "reader"})
	wantIDs(t, reader, "amber", "a")
	err := reader.Apply(t.Context(), []messages.Document{doc("b", "", "x")}, index.Position{Stream: "s", Sequence: 2})
	wantClass(t, "a reader writes", err, fault.Permanent, "")
	t.Log(err)
}

// TestRealObjects: the server refuses one object of a batch; the others are
// stored, the error names it, and the position stays.
func TestRealObjects(t *testing.T) {
	url := weaviatetest.Start(t)
	s := open(t, Options{URL: url, Embedder: storetest.Embedder{Dimension: 8}})
	apply(t, s, 1, doc("first", "", "amber"))
	batch := []entry{}
	for _, id := range []string{"good", "bad", "fine"} {
		p := messages.Passage{ID: id, Text: "amber " + id}
		batch = append(batch, entry{p, uuid(id), id, hashOf(p, 1), 0, 1})
	}
	vectors := [][]float32{make([]float32, 8), {1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}} // the first is zero, which has no direction
	err := s.put(t.Context(), batch, vectors)
	wantClass(t, "a short vector", err, fault.Permanent, `1 refused: "bad"`)
	t.Log(err)
	wantIDs(t, s, "amber fine", "fine", "first", "good")
	_, err = s.Near(t.Context(), make([]float32, 8), 3)
	if err != nil {
		t.Errorf("a zero vector: %v", err)
	}
	// The check of the store's own, which spares the server that.
	other := open(t, Options{URL: url, Embedder: storetest.Embedder{Dimension: 4}, Mode: Vector})
	wantClass(t, "another embedder", other.Apply(t.Context(), []messages.Document{doc("x", "", "y")}, index.Position{Stream: "s", Sequence: 2}), fault.Permanent, "use the embedder")
	_, err = other.Search(t.Context(), "x", 1)
	wantClass(t, "another embedder", err, fault.Permanent, "use the embedder")
	without := open(t, Options{URL: url})
	wantIDs(t, without, "fine", "fine")
	wantClass(t, "without embedder", without.Apply(t.Context(), []messages.Document{doc("x", "", "y")}, index.Position{Stream: "s", Sequence: 2}), fault.Permanent, "filled with")
}

// TestRealModes compares searches by words, by meaning, and by both.
func TestRealModes(t *testing.T) {
	url := weaviatetest.Start(t)
	embedder := storetest.Embedder{}
	docs := []messages.Document{
		doc("rare", "", "zircon and very many other words that lead the meaning far away from here"),
		doc("near", "", "blue blue stone"), doc("far", "", "red wood"),
	}
	fill := open(t, Options{URL: url, Embedder: embedder})
	apply(t, fill, 1, docs...)
	for _, test := range []struct {
		mode  Mode
		alpha float64
		query string
		want  []string
	}{
		{BM25, 0, "zircon stone", []string{"near", "rare"}},
		{Vector, 0, "blue stone", []string{"near"}},
		{Hybrid, 1, "blue stone", []string{"near"}},
		{Hybrid, -1, "zircon", []string{"rare"}},
		{Hybrid, 0, "red wood", []string{"far"}},
		{Hybrid, 0, "🚂", nil}, // no words: by meaning alone
	} {
		s := open(t, Options{URL: url, Embedder: embedder, Mode: test.mode, Alpha: test.alpha})
		ps, err := s.Search(t.Context(), test.query, 3)
		if err != nil {
			t.Fatal(err)
		}
		got := idsOf(ps)
		if test.mode != BM25 {
			got = got[:min(len(test.want), len(got))]
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %v: %q finds %v, want %v", test.mode, test.alpha, test.query, ps, test.want)
		}
		for _, q := range []string{`AC/DC: "x" ^ ~ \`, "bell\a nul\x00 \v", "🚂 \U000E0001", `"){Get`, "\xff"} {
			if _, err := s.Search(t.Context(), q, 3); err != nil {
				t.Errorf("%s: %q: %v", test.mode, q, err)
			}
		}
	}
	v, _ := embedder.Embed(t.Context(), []string{"blue blue stone"})
	ps, err := fill.Near(t.Context(), v[0], 2)
	if err != nil || len(ps) != 2 || ps[0].ID != "near" || ps[0].Score < 0.999 || ps[0].Rank != 1 || ps[1].Rank != 2 {
		t.Errorf("near: %v, %v", ps, err)
	}
}

// TestRealMigration: a class of another shape is left alone, unless told.
func TestRealMigration(t *testing.T) {
	url := weaviatetest.Start(t)
	s := open(t, Options{URL: url, Class: "Other"})
	other := passageClass("Mine", index.BM25{})
	other.Properties = other.Properties[2:]
	if err := s.conn.schema.ClassCreator().WithClass(other).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{URL: url, Class: "Mine"})
	wantClass(t, "another shape", err, fault.Permanent, "another class name")
	mine := open(t, Options{URL: url, Class: "Mine", Reset: true})
	apply(t, mine, 1, doc("a", "", "amber"))
	wantIDs(t, open(t, Options{URL: url, Class: "Mine"}), "amber", "a")
	if mine = open(t, Options{URL: url, Class: "Mine", Reset: true}); mine.Passages() != 0 || mine.Position() != (index.Position{}) {
		t.Errorf("%d passages at %v after a reset", mine.Passages(), mine.Position())
	}
}

// TestRealEmptied: what one process fills another empties; the first notices,
// and reads from the start.
func TestRealEmptied(t *testing.T) {
	url := weaviatetest.Start(t)
	s, searching := open(t, Options{URL: url}), open(t, Options{URL: url})
	apply(t, s, 5, doc("a", "", "amber"))
	wantIDs(t, searching, "amber", "a")
	if err := s.drop(t.Context(), DefaultClass); err != nil {
		t.Fatal(err)
	}
	_, err := searching.Search(t.Context(), "amber", 1)
	wantClass(t, "no class", err, fault.Unavailable, "")
	if err := open(t, Options{URL: url}).Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantClass(t, "emptied", s.Apply(t.Context(), nil, index.Position{Stream: "s", Sequence: 6}), fault.Transient, "another process fills")
	if s.Position() != (index.Position{}) {
		t.Errorf("position %v", s.Position())
	}
	apply(t, s, 6, doc("a", "", "amber"))
	wantIDs(t, searching, "amber", "a")
}

// countingEmbedder counts the texts it is given.
type countingEmbedder struct {
	storetest.Embedder
	texts int
}

func (e *countingEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.texts += len(texts)
	return e.Embedder.Embed(ctx, texts)
}

// TestRealTiming stores 5,000 passages with vectors, and again, and searches.
func TestRealTiming(t *testing.T) {
	url := weaviatetest.Start(t)
	e := &countingEmbedder{}
	s := open(t, Options{URL: url, Embedder: e})
	docs := make([]messages.Document, 1000)
	fill := func(what string, seq int) {
		began, embedded := time.Now(), e.texts
		for from := 0; from < 5000; from += len(docs) {
			for i := range docs {
				docs[i] = doc(fmt.Sprint("p", from+i), fmt.Sprint("Title ", from+i), fmt.Sprintf("word%d and term%d, %s", (from+i)%997, (from+i)%7, strings.Repeat("more text here ", 20)))
			}
			if err := s.Apply(t.Context(), docs, index.Position{Stream: "s", Sequence: uint64(seq + from)}); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: 5,000 passages in %v, %d embedded", what, time.Since(began), e.texts-embedded)
	}
	fill("new", 1)
	before := e.texts
	fill("again", 5001)
	if e.texts != before {
		t.Errorf("%d passages were embedded again", e.texts-before)
	}
	for _, mode := range []Mode{BM25, Vector, Hybrid} {
		s := open(t, Options{URL: url, Embedder: e, Mode: mode})
		began := time.Now()
		const n = 100
		for i := range n {
			if ps, err := s.Search(t.Context(), fmt.Sprintf("word%d term%d", i, i%7), 10); err != nil || len(ps) != 10 {
				t.Fatalf("%d results, %v", len(ps), err)
			}
		}
		t.Logf("%s: %v a search", mode, time.Since(began)/n)
	}
	if s.Passages() != 5000 || s.Documents() != 5000 {
		t.Errorf("%d passages of %d documents", s.Passages(), s.Documents())
	}
}
