package topk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type item struct{ score, id int }

func better(a, b *item) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.id < b.id
}

func compare(a, b item) int {
	if better(&a, &b) {
		return -1
	}
	return 1
}

// random returns n items with many equal scores.
func random(rng *rand.Rand, n int) []item {
	items := make([]item, n)
	for i := range items {
		items[i] = item{rng.IntN(5), i}
	}
	rng.Shuffle(n, func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

// TestHeap compares with a full sort.
func TestHeap(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		k := rng.IntN(20)
		all := random(rng, rng.IntN(60))
		h := New(k, make([]item, 3), better)
		for _, x := range all {
			h.Add(x)
		}
		slices.SortFunc(all, compare)
		want := all[:min(k, len(all))]
		if h.Full() != (len(want) == k) {
			t.Errorf("%d of %d: full is %v", len(want), k, h.Full())
		}
		if len(want) > 0 && *h.Worst() != want[len(want)-1] {
			t.Errorf("the worst is %v, want %v", *h.Worst(), want[len(want)-1])
		}
		if got := h.Sorted(); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestReplace keeps the best in a slice of the caller's.
func TestReplace(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		all := random(rng, 1+rng.IntN(60))
		k := 1 + rng.IntN(len(all))
		kept := slices.Clone(all[:k])
		Init(kept, better)
		for _, x := range all[k:] {
			if better(&x, &kept[0]) {
				Replace(kept, x, better)
			}
		}
		slices.SortFunc(kept, compare)
		slices.SortFunc(all, compare)
		if !slices.Equal(kept, all[:k]) {
			t.Fatalf("%v, want %v", kept, all[:k])
		}
	}
}

func BenchmarkHeap(b *testing.B) {
	all := random(rand.New(rand.NewPCG(5, 6)), 10_000)
	room := make([]item, 0, 10)
	b.ReportAllocs()
	for b.Loop() {
		h := New(10, room, better)
		for _, x := range all {
			h.Add(x)
		}
		room = h.Sorted()
	}
}
