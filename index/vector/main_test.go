package vector

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"hopstream/index/testkit/storetest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Bleve, which package index uses, starts these once and never ends them.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

// words is an embedder: each word counts at a place of its own, without its
// plural's s, so that two texts are alike that share words.
type words struct {
	dims  int
	texts atomic.Int64
	err   error
	mu    sync.Mutex
	most  int // texts embedded at once
	make  func(text string) []float32
}

func (w *words) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.err != nil {
		return nil, w.err
	}
	w.mu.Lock()
	w.most = max(w.most, len(texts))
	w.mu.Unlock()
	w.texts.Add(int64(len(texts)))
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if w.make != nil {
			out[i] = w.make(t)
			continue
		}
		out[i] = make([]float32, w.dims)
		for f := range strings.FieldsFuncSeq(strings.ToLower(t), func(r rune) bool { return strings.ContainsRune(" .,!?#\n", r) }) {
			h := uint64(14695981039346656037)
			for _, c := range []byte(strings.TrimSuffix(f, "s")) {
				h = (h ^ uint64(c)) * 1099511628211
			}
			out[i][(h>>20)%uint64(w.dims)]++
		}
	}
	return out, nil
}

func embedder() *words { return &words{dims: 1024} }

// What the tests of all stores share.
var (
	apply      = storetest.Apply
	doc        = storetest.Doc
	gone       = storetest.Gone
	permanent  = storetest.Permanent
	wantCounts = storetest.WantCounts
	wantIDs    = storetest.WantIDs
)

func open(tb testing.TB, dir string, opts Options) *Store {
	tb.Helper()
	if opts.Embedder == nil {
		opts.Embedder = embedder()
	}
	s, err := Open(dir, opts)
	return storetest.Opened(tb, s, err)
}

// stores runs fn over a store in memory and one on disk.
func stores(t *testing.T, opts func() Options, fn func(t *testing.T, s *Store)) {
	storetest.MemoryAndDisk(t, func(t *testing.T, dir string) { fn(t, open(t, dir, opts())) })
}

// search returns the IDs of what is found. Scores are cosines.
func search(tb testing.TB, s *Store, query string, k int) []string {
	tb.Helper()
	var ids []string
	for _, p := range storetest.Search(tb, s, query, k) {
		if p.Score > 1+1e-5 {
			tb.Errorf("%q scores %v for %q", p.ID, p.Score, query)
		}
		ids = append(ids, p.ID)
	}
	return ids
}

func defaults() Options { return Options{Embedder: embedder()} }

func TestDot(t *testing.T) {
	t.Parallel()
	for n := 1; n < 70; n++ {
		a, b := make([]float32, n), make([]float32, n)
		var want float64
		for i := range n {
			a[i], b[i] = float32(i%7)-3, float32(i%5)-1.5
			want += float64(a[i]) * float64(b[i])
		}
		for name, f := range map[string]func(a, b []float32) float32{"dot": dot, "plainDot": plainDot} {
			if got := f(a, b); math.Abs(float64(got)-want) > 1e-3 {
				t.Errorf("%s of %d numbers is %v, want %v", name, n, got, want)
			}
		}
	}
}

func TestNormalised(t *testing.T) {
	t.Parallel()
	if v, err := normalised([]float32{3, 4}); err != nil || v[0] != 0.6 || v[1] != 0.8 {
		t.Error(v, err)
	}
	if v, err := normalised([]float32{0, 0}); err != nil || v[0] != 0 {
		t.Error(v, err)
	}
	if v, err := normalised([]float32{math.MaxFloat32, math.MaxFloat32}); err != nil || math.Abs(float64(v[0])-math.Sqrt(0.5)) > 1e-6 {
		t.Error(v, err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := normalised([]float32{1, float32(bad)}); err == nil {
			t.Error(fmt.Sprint(bad, " is taken for a number"))
		}
	}
}
