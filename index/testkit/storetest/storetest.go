package storetest

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
)

// Store is what the suite tests. Of the optional interfaces Counter, Getter and
// Finder a store is held to those it has.
type Store interface {
	index.Store
	// Close closes the store; a second Close does nothing.
	Close() error
}

// Counter is a store that knows how much it holds.
type Counter interface {
	Passages() int
	Documents() int
}

// Getter is a store that finds a passage by its ID.
type Getter interface {
	Passage(ctx context.Context, id string) (messages.Passage, bool, error)
}

// Open opens the store in dir, which is the caller's own; what is stored under
// one dir must not be seen under another. A store without a place of its own
// takes dir as its name. The suite closes what it opens.
type Open func(t *testing.T, dir string) Store

// Options says what a kind of store promises. The zero value is a lexical
// store in memory, with passages of the default length.
type Options struct {
	// Chunk is how Open's stores cut documents.
	Chunk document.ChunkOptions
	// Persistent stores have everything after Close and Open.
	Persistent bool
	// Dense stores find the nearest passages, however far away; others only
	// passages that share a word with the query.
	Dense bool
	// Ties is how many equally good passages are ranked by ID; 0 means any
	// number.
	Ties int
	// Many is how many passages the big test stores; 0 means 50,000.
	Many int
}

// Run holds the stores that open opens to all that a Store must do, one
// subtest each. In short mode it leaves the big test out.
func Run(t *testing.T, open func(t *testing.T, dir string) Store, o Options) {
	if o.Many == 0 {
		o.Many = 50_000
	}
	for _, test := range []struct {
		name string
		fn   func(*fixture)
	}{
		{"empty", empty},
		{"add, update, delete", addUpdateDelete},
		{"versions in one batch", versions},
		{"chunks", chunks},
		{"shrinking", shrinking},
		{"headings", headings},
		{"parts", parts},
		{"parts for a whole", partsForWhole},
		{"batches repeated", repeated},
		{"queries of any text", anyQuery},
		{"structured queries", structured},
		{"limits of k", limits},
		{"ties", ties},
		{"unicode", unicodeText},
		{"position", position},
		{"refused batch", refused},
		{"cancelled", cancelled},
		{"closed", closed},
		{"reset", reset},
		{"reopen", reopen},
		{"apart", apart},
		{"concurrent", concurrent},
		{"many", many},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fixture{t: t, o: o, open: open, dir: filepath.Join(t.TempDir(), "store")}
			f.store = f.openAt(f.dir)
			test.fn(f)
		})
	}
}

// fixture is one test's store.
type fixture struct {
	t     *testing.T
	o     Options
	open  Open
	dir   string
	store Store
}

func (f *fixture) openAt(dir string) Store {
	f.t.Helper()
	s := f.open(f.t, dir)
	f.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.t.Errorf("close: %v", err)
		}
	})
	return s
}

func at(seq uint64) index.Position { return index.Position{Stream: "s", Sequence: seq} }

func (f *fixture) apply(seq uint64, docs ...messages.Document) {
	f.t.Helper()
	if err := f.store.Apply(f.t.Context(), docs, at(seq)); err != nil {
		f.t.Fatalf("apply up to %d: %v", seq, err)
	}
}

// search checks what holds for every result, and returns it.
func (f *fixture) search(query string, k int) []messages.Passage {
	f.t.Helper()
	ps, err := f.store.Search(f.t.Context(), query, k)
	if err != nil {
		f.t.Fatalf("search for %q: %v", query, err)
	}
	check(f.t, query, k, ps)
	return ps
}

func check(t *testing.T, query string, k int, ps []messages.Passage) {
	t.Helper()
	if len(ps) > max(k, 0) {
		t.Errorf("%d results for %q, asked for %d", len(ps), query, k)
	}
	seen := map[string]bool{}
	for i, p := range ps {
		switch {
		case p.Rank != i+1:
			t.Errorf("result %d of %q has rank %d", i+1, query, p.Rank)
		case p.Score != p.Score:
			t.Errorf("result %d of %q has no score", i+1, query)
		case i > 0 && p.Score > ps[i-1].Score:
			t.Errorf("result %d of %q scores %v, more than the one before it", i+1, query, p.Score)
		case i > 0 && p.Score == ps[i-1].Score && p.ID < ps[i-1].ID:
			t.Errorf("results %d and %d of %q are equally good and not in order: %q, %q", i, i+1, query, ps[i-1].ID, p.ID)
		case p.ID == "" || seen[p.ID]:
			t.Errorf("result %d of %q has the ID %q", i+1, query, p.ID)
		}
		seen[p.ID] = true
	}
}

func ids(ps []messages.Passage) []string {
	var ids []string
	for _, p := range ps {
		ids = append(ids, p.ID)
	}
	return ids
}

// finds wants exactly these passages, in this order; of a dense store, these
// before all others.
func (f *fixture) finds(query string, want ...string) {
	f.t.Helper()
	got := ids(f.search(query, 20))
	if f.o.Dense {
		got = got[:min(len(got), len(want))]
	}
	if !slices.Equal(got, want) {
		f.t.Errorf("%q finds %q, want %q", query, got, want)
	}
}

// lacks wants no passage of the documents anywhere in the results.
func (f *fixture) lacks(query string, docs ...string) {
	f.t.Helper()
	for _, id := range ids(f.search(query, 100)) {
		if slices.Contains(docs, document.DocID(id)) {
			f.t.Errorf("%q still finds %q", query, id)
		}
	}
}

// holds wants exactly these documents, cut as document.Chunk cuts them: by the
// numbers, and passage by passage.
func (f *fixture) holds(docs ...messages.Document) {
	f.t.Helper()
	documents, passages := 0, 0
	for _, d := range docs {
		ps := document.Chunk(d, f.o.Chunk)
		passages += len(ps)
		if document.Begins(d.ID) {
			documents += min(len(ps), 1)
		}
		for _, p := range ps {
			f.has(p)
		}
	}
	f.counts(documents, passages)
}

func (f *fixture) counts(documents, passages int) {
	f.t.Helper()
	if c, ok := f.store.(Counter); ok && (c.Documents() != documents || c.Passages() != passages) {
		f.t.Errorf("%d documents in %d passages, want %d in %d", c.Documents(), c.Passages(), documents, passages)
	}
}

func (f *fixture) has(want messages.Passage) {
	f.t.Helper()
	g, ok := f.store.(Getter)
	if !ok {
		return
	}
	p, ok, err := g.Passage(f.t.Context(), want.ID)
	if err != nil || !ok || p.ID != want.ID || p.Title != want.Title || p.Text != want.Text || !reflect.DeepEqual(p.Place, want.Place) {
		f.t.Errorf("passage %q is %q, %q, %+v (%v, %v), want %q, %q, %+v", want.ID, p.Title, p.Text, p.Place, ok, err, want.Title, want.Text, want.Place)
	}
}

func (f *fixture) hasNot(ids ...string) {
	f.t.Helper()
	g, ok := f.store.(Getter)
	if !ok {
		return
	}
	for _, id := range ids {
		if p, ok, err := g.Passage(f.t.Context(), id); ok || err != nil {
			f.t.Errorf("passage %q is there: %+v, %v", id, p, err)
		}
	}
}

// long returns a text of several passages at any length of them: n sentences
// about word, each with a number of its own.
func long(word string, passages int, o document.ChunkOptions) string {
	size := o.WithDefaults().Size
	var b strings.Builder
	for n := 0; b.Len() < size*passages; n++ {
		b.WriteString("Here " + word + " stands with ")
		b.WriteString(word)
		b.WriteString(strings.Repeat("i", n%7) + ". ")
	}
	return b.String()
}
