package vector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"hopstream/messages"
)

// cloud makes vectors as texts have them: around centres, of which there is
// one for every hundred, noise times as far from them as they are from 0.
type cloud struct {
	centres [][]float32
	noise   float64
}

func newCloud(n, dims int, noise float64) *cloud {
	c := &cloud{noise: noise}
	rng := rand.New(rand.NewPCG(7, uint64(dims)))
	for range n/100 + 1 {
		v := make([]float32, dims)
		for j := range v {
			v[j] = float32(rng.NormFloat64() / math.Sqrt(float64(dims)))
		}
		c.centres = append(c.centres, v)
	}
	return c
}

// vector returns that of a number, which is what its text has to be.
func (c *cloud) vector(text string) []float32 {
	i, err := strconv.Atoi(text)
	if err != nil {
		i = -1
	}
	rng := rand.New(rand.NewPCG(uint64(i), 3))
	centre := c.centres[rng.IntN(len(c.centres))]
	v := make([]float32, len(centre))
	scale := c.noise / math.Sqrt(float64(len(v)))
	for j := range v {
		v[j] = centre[j] + float32(rng.NormFloat64()*scale)
	}
	return v
}

// fill stores the numbers from first to last, as pID for each.
func fill(tb testing.TB, s *Store, first, last int) {
	tb.Helper()
	for first < last {
		docs := make([]messages.Document, min(1000, last-first))
		for i := range docs {
			docs[i] = doc(fmt.Sprintf("p%06d", first+i), "", strconv.Itoa(first+i))
		}
		first += len(docs)
		apply(tb, s, uint64(first), docs...)
	}
}

// recall returns how much of the exact best ten a search finds.
func recall(tb testing.TB, s *Store, c *cloud, queries int) float64 {
	tb.Helper()
	found := 0
	now := s.last()
	for i := range queries {
		q, err := normalised(c.vector(strconv.Itoa(-1000 - i)))
		if err != nil {
			tb.Fatal(err)
		}
		exact := newBest(10, now.passages)
		if err := now.scan(context.Background(), 0, q, exact); err != nil {
			tb.Fatal(err)
		}
		want := map[string]bool{}
		for _, p := range exact.passages() {
			want[p.ID] = true
		}
		got, err := s.Near(context.Background(), q, 10)
		if err != nil || len(got) != 10 {
			tb.Fatal(len(got), err)
		}
		for _, p := range got {
			if want[p.ID] {
				found++
			}
		}
	}
	return float64(found) / float64(10*queries)
}

func cloudStore(tb testing.TB, c *cloud, exact int) *Store {
	return open(tb, "", Options{Embedder: &words{make: c.vector}, Exact: exact, Batch: 1000})
}

// TestRecall: a search over sketches finds nearly all, also after a third of
// the passages was replaced or removed, and what came last at once.
func TestRecall(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		dims  int
		noise float64
	}{{64, 0.8}, {256, 3}} {
		t.Run(fmt.Sprint(test.dims), func(t *testing.T) {
			t.Parallel()
			n := 20_000
			if testing.Short() {
				n = 5_000
			}
			c := newCloud(n, test.dims, test.noise)
			s := cloudStore(t, c, 1000)
			check := func(when string) {
				t.Helper()
				if now := s.last(); now.sketcher == nil || len(now.sketches) != now.rows()*now.sketcher.words() {
					t.Fatal("search is exact")
				}
				r := recall(t, s, c, 200)
				t.Logf("%s: recall@10 %.3f", when, r)
				if r < 0.95 {
					t.Errorf("%s: recall@10 is %.3f", when, r)
				}
			}
			fill(t, s, 0, n)
			check("filled")
			rng := rand.New(rand.NewPCG(5, 5))
			for range n / 3000 {
				docs := make([]messages.Document, 1000)
				for i := range docs {
					id := rng.IntN(n)
					docs[i] = doc(fmt.Sprintf("p%06d", id), "", strconv.Itoa(n+rng.IntN(n)))
					docs[i].Deleted = i%2 == 0
				}
				apply(t, s, 1, docs...)
			}
			check("changed")
			apply(t, s, 2, doc("new", "", "-77"))
			wantIDs(t, search(t, s, "-77", 1), "new")
			apply(t, s, 2, gone("new"))
			if got := search(t, s, "-77", 1); len(got) != 1 || got[0] == "new" {
				t.Errorf("found %v", got)
			}
			for _, k := range []int{200, 100_000} {
				got, want := search(t, s, "-77", k), newBest(k, s.last().passages)
				q, _ := normalised(c.vector("-77"))
				if err := s.last().scan(context.Background(), 0, q, want); err != nil {
					t.Fatal(err)
				}
				if len(got) != len(want.heap.Items()) {
					t.Errorf("found %d of %d", len(got), len(want.heap.Items()))
				}
			}
		})
	}
}

// TestSketchesGrow: sketches come when they are needed, last through
// compaction, and after growth and a restart are what they would have been.
func TestSketchesGrow(t *testing.T) {
	t.Parallel()
	c := newCloud(6000, 16, 0.5)
	dir := filepath.Join(t.TempDir(), "index")
	opts := Options{Embedder: &words{make: c.vector}, Exact: 500, Batch: 1000}
	s := open(t, dir, opts)
	fill(t, s, 0, 500)
	if s.last().sketcher != nil {
		t.Error("sketches without need")
	}
	check := func() {
		t.Helper()
		now := s.last()
		if now.live <= 500 {
			return
		}
		words := now.sketcher.words()
		if len(now.sketches) != now.rows()*words {
			t.Fatalf("%d words are sketches of %d vectors", len(now.sketches), now.rows())
		}
		want := make([]uint64, words)
		for slot := range now.rows() {
			now.sketcher.sketch(want, now.row(slot))
			if !now.dead.has(slot) && !slices.Equal(want, now.sketches[slot*words:(slot+1)*words]) {
				t.Fatalf("slot %d has another's sketch", slot)
			}
		}
	}
	fill(t, s, 500, 4800)
	check()
	compacted := 0
	for at := 0; at < 4500; at += 500 {
		docs := make([]messages.Document, 500)
		for i := range docs {
			docs[i] = gone(fmt.Sprintf("p%06d", at+i))
		}
		before := s.last().rows()
		apply(t, s, 9, docs...)
		if s.last().rows() < before {
			compacted++
		}
		wantCounts(t, s, 4300-at, 4300-at)
		if r := recall(t, s, c, 20); r < 0.95 {
			t.Errorf("recall@10 of %d is %.3f", s.Passages(), r)
		}
		check()
	}
	if compacted < 1 {
		t.Errorf("compacted %d times", compacted)
	}
	fill(t, s, 7000, 9000)
	check()
	wantIDs(t, search(t, s, "7000", 1), "p007000")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, opts)
	check()
	wantIDs(t, search(t, s, "7000", 1), "p007000")
	if err := s.Reset(context.Background()); err != nil || s.last().sketcher != nil {
		t.Error("sketches of nothing", err)
	}
}

// TestAlike: passages all of one meaning, and of none.
func TestAlike(t *testing.T) {
	t.Parallel()
	s := open(t, "", Options{Embedder: &words{dims: 64}, Exact: 10})
	var docs []messages.Document
	for i := range 1000 {
		docs = append(docs, doc(fmt.Sprintf("p%04d", 999-i), "", "same words"), doc(fmt.Sprintf("x%04d", i), "", "..."))
	}
	apply(t, s, 1, docs...)
	wantIDs(t, search(t, s, "words", 3), "p0000", "p0001", "p0002")
	if got := search(t, s, "words", 5000); len(got) != 1000 {
		t.Errorf("found %d", len(got))
	}
	blanks := open(t, "", Options{Embedder: &words{dims: 64}, Exact: 1})
	for i := range 200 {
		apply(t, blanks, 1, doc(fmt.Sprint(i), "", "..."))
	}
	wantIDs(t, search(t, blanks, "words", 3))
}

// TestLikeness compares with the sum done number by number.
func TestLikeness(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, dims := range []int{1, 3, 64, 500, 768, 1024} {
		k := newSketcher(dims)
		q, v := make([]float32, dims), make([]float32, dims)
		for i := range dims {
			q[i], v[i] = float32(rng.NormFloat64()), float32(rng.NormFloat64())
		}
		sketch := make([]uint64, k.words())
		k.sketch(sketch, v)
		want, most := 0, float32(0)
		for _, x := range k.turned(q) {
			most = max(most, x, -x)
		}
		for i, x := range k.turned(q) {
			if sketch[i/64]>>(i%64)&1 == 1 {
				want += int(math.Round(float64(x / most * 7)))
			}
		}
		if got := likeness(k.planes(q), sketch); got != want {
			t.Errorf("%d numbers: likeness %d, want %d", dims, got, want)
		}
		if got := likeness(k.planes(make([]float32, dims)), sketch); got != 0 {
			t.Errorf("%d zeros: likeness %d", dims, got)
		}
	}
}

// TestSketchesConcurrent: searches go on while documents come and go.
func TestSketchesConcurrent(t *testing.T) {
	t.Parallel()
	c := newCloud(4000, 16, 0.5)
	s := cloudStore(t, c, 100)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				ps, err := s.Near(context.Background(), c.vector(strconv.Itoa(i*2+w)), 10)
				if err != nil {
					t.Error(err)
					return
				}
				for j, p := range ps {
					if p.ID == "" || j > 0 && p.Score > ps[j-1].Score {
						t.Errorf("result %d: %+v", j, p)
					}
				}
			}
		})
	}
	for round := range 4 {
		fill(t, s, round*500, round*500+1000)
		docs := make([]messages.Document, 400)
		for i := range docs {
			docs[i] = gone(fmt.Sprintf("p%06d", round*500+i))
		}
		apply(t, s, 1, docs...)
	}
	close(done)
	wg.Wait()
	wantCounts(t, s, 2500-4*400, 2500-4*400)
}
