package links

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"hopstream/messages"
)

// benched are generated corpora, made once.
var benched = func() func(n int) (*Index, []messages.Passage) {
	var mu sync.Mutex
	type made struct {
		x  *Index
		ps []messages.Passage
	}
	all := map[int]made{}
	return func(n int) (*Index, []messages.Passage) {
		mu.Lock()
		defer mu.Unlock()
		m, ok := all[n]
		if !ok {
			m = made{New(), generated(n, 1)}
			for from := 0; from < n; from += 1000 {
				m.x.Apply(m.ps[from:min(n, from+1000)], nil)
			}
			all[n] = m
		}
		return m.x, m.ps
	}
}()

// BenchmarkSearch compares a search over links with BM25 alone: with the size
// of the corpus both grow by the same postings, and what links add does not.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 50_000, 200_000} {
		if testing.Short() && n > 10_000 {
			break
		}
		x, ps := benched(n)
		qs := questions(ps, 200)
		b.Run(fmt.Sprintf("links/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				search(b, x, qs[i%len(qs)], 10)
			}
		})
		b.Run(fmt.Sprintf("bm25/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.plain(qs[i%len(qs)], 10)
			}
		})
	}
}

// BenchmarkApply adds 10,000 passages, a thousand at a time, and reports what
// one takes up besides its text.
func BenchmarkApply(b *testing.B) {
	ps := generated(10_000, 1)
	var x *Index
	for b.Loop() {
		x = New()
		for from := 0; from < len(ps); from += 1000 {
			x.Apply(ps[from:from+1000], nil)
		}
	}
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	with := heap()
	runtime.KeepAlive(x)
	x = nil
	b.ReportMetric((with-heap())/float64(len(ps)), "B/passage")
	runtime.KeepAlive(ps)
}
