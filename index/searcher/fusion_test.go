package searcher

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"hopstream/messages"
)

// list makes passages of IDs.
func list(ids ...string) []messages.Passage {
	out := make([]messages.Passage, len(ids))
	for i, id := range ids {
		out[i] = messages.Passage{ID: id, Text: "text of " + id, Score: float64(len(ids) - i), Rank: i + 1}
	}
	return out
}

func ids(ps []messages.Passage) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.ID)
	}
	return out
}

func same(a, b []messages.Passage) bool {
	return slices.EqualFunc(a, b, func(x, y messages.Passage) bool { return reflect.DeepEqual(x, y) })
}

func TestFuse(t *testing.T) {
	t.Parallel()
	got := Fuse(3, list("a", "b", "c"), list("c", "a", "d"), nil)
	want := []float64{1.0/61 + 1.0/62, 1.0/61 + 1.0/63, 1.0 / 62}
	if !slices.Equal(ids(got), []string{"a", "c", "b"}) {
		t.Fatal(ids(got))
	}
	for i, p := range got {
		if math.Abs(p.Score-want[i]) > 1e-12 || p.Rank != i+1 || p.Text != "text of "+p.ID {
			t.Errorf("%d: %+v, want a score of %v", i, p, want[i])
		}
	}
	for name, got := range map[string][]messages.Passage{
		"no lists": Fuse(3), "empty lists": Fuse(3, nil, list()), "no room": Fuse(0, list("a")), "less than none": Fuse(-1, list("a")),
	} {
		if got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Fuse(9, list("b", "a"), list("a", "b")); !slices.Equal(ids(got), []string{"a", "b"}) || got[0].Score != got[1].Score {
		t.Errorf("equal scores: %v", got)
	}
	if got := Fuse(9, list("a", "b", "a", "a")); len(got) != 2 || got[0].Score != 1.0/61 {
		t.Errorf("duplicates: %v", got)
	}
	one, other := list("x", "a"), list("a")
	other[0].Text = "shown better"
	if got := Fuse(1, one, other); got[0].Text != "shown better" || one[1].Rank != 2 {
		t.Errorf("%v of %v", got, one)
	}
}

// TestFuseProperties draws lists: the order of the lists makes no difference,
// a better rank never makes a score worse, and a smaller k cuts the list.
func TestFuseProperties(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		lists := drawn(rng, 1+rng.IntN(6), rng.IntN(20), 25)
		whole := Fuse(100, lists...)
		shuffled := slices.Clone(lists)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := Fuse(100, shuffled...); !same(whole, again) {
			t.Fatalf("%v\nin another order of lists\n%v", whole, again)
		}
		for k := range len(whole) + 2 {
			if got := Fuse(k, lists...); !same(got, whole[:min(k, len(whole))]) {
				t.Fatalf("the best %d of %v: %v", k, whole, got)
			}
		}
		for i := 1; i < len(whole); i++ {
			if a, b := whole[i-1], whole[i]; a.Score < b.Score || a.Score == b.Score && a.ID >= b.ID || b.Rank != i+1 {
				t.Fatalf("%v before %v", a, b)
			}
		}
		l := lists[rng.IntN(len(lists))]
		if len(l) < 2 {
			continue
		}
		i := 1 + rng.IntN(len(l)-1)
		up := l[i].ID
		before := find(whole, up)
		l[i-1], l[i] = l[i], l[i-1]
		after := find(Fuse(100, lists...), up)
		if after.Score <= before.Score || after.Rank > before.Rank {
			t.Fatalf("one rank better, %v became %v", before, after)
		}
	}
}

func find(ps []messages.Passage, id string) messages.Passage {
	return ps[slices.IndexFunc(ps, func(p messages.Passage) bool { return p.ID == id })]
}

// drawn draws lists of n different passages out of so many.
func drawn(rng *rand.Rand, lists, n, of int) [][]messages.Passage {
	out := make([][]messages.Passage, lists)
	for i := range out {
		for _, id := range rng.Perm(of)[:n] {
			out[i] = append(out[i], list(fmt.Sprint(id))...)
		}
	}
	return out
}

func BenchmarkFuse(b *testing.B) {
	lists := drawn(rand.New(rand.NewPCG(1, 2)), 4, 10, 25)
	b.ReportAllocs()
	for b.Loop() {
		Fuse(10, lists...)
	}
}
