package vector

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"hopstream/messages"
)

// BenchmarkNear searches among vectors around many centres; with sketches it
// says what part of the exact ten best was found.
func BenchmarkNear(b *testing.B) {
	for _, size := range []struct{ n, dims int }{{10_000, 256}, {50_000, 256}, {200_000, 256}, {10_000, 768}, {50_000, 768}, {200_000, 768}} {
		c := newCloud(size.n, size.dims, 0.8)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := open(b, "", Options{Embedder: &words{make: c.vector}, Exact: size.n - 1, Batch: 1000})
		fill(b, s, 0, size.n-1)
		runtime.GC()
		runtime.ReadMemStats(&after)
		queries := make([][]float32, 100)
		for i := range queries {
			queries[i] = c.vector(strconv.Itoa(-1000 - i))
		}
		run := func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, err := s.Near(context.Background(), queries[i%len(queries)], 10); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		}
		b.Run(fmt.Sprintf("%dx%d/exact", size.n, size.dims), run)
		began := time.Now()
		fill(b, s, size.n-1, size.n)
		took := time.Since(began)
		b.Run(fmt.Sprintf("%dx%d/sketches", size.n, size.dims), func(b *testing.B) {
			run(b)
			b.ReportMetric(took.Seconds(), "s-to-sketch")
			b.ReportMetric(recall(b, s, c, 100), "recall@10")
		})
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApply stores batches of 1,000 new passages, the vectors of which
// cost nothing.
func BenchmarkApply(b *testing.B) {
	for _, kind := range []string{"memory", "disk"} {
		for _, dims := range []int{256, 768} {
			b.Run(fmt.Sprintf("%s/%d", kind, dims), func(b *testing.B) {
				dir := ""
				if kind == "disk" {
					dir = filepath.Join(b.TempDir(), "index")
				}
				v := newCloud(1, dims, 1).vector("1")
				s := open(b, dir, Options{Embedder: &words{make: func(string) []float32 { return v }}, Exact: -1})
				docs := make([]messages.Document, 1000)
				n := 0
				for b.Loop() {
					for i := range docs {
						docs[i] = doc(fmt.Sprintf("p%07d", (n*7919)%10_000_000), "title", "a text of some words, as they stand in a passage")
						n++
					}
					apply(b, s, uint64(n), docs...)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "passages/s")
			})
		}
	}
}

// BenchmarkOpen reads 20,000 passages from disk.
func BenchmarkOpen(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "index")
	c := newCloud(20_000, 256, 0.8)
	opts := Options{Embedder: &words{make: c.vector}, Exact: -1, Batch: 1000}
	s := open(b, dir, opts)
	fill(b, s, 0, 20_000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Open(dir, opts)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
