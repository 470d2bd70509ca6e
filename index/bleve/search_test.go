package bleve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"unicode/utf8"
)

// FuzzSearch asks any text: nothing may fail, and what is found must be
// complete, in order, and the same the second time, from the cache.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{"AC/DC:", "a -", `\`, `+ - ^ "open`, "title:red", "red~2", "*", "(red OR", "\xff", "red\x00stone", "東京", strings.Repeat("red ", 5000)} {
		f.Add(q)
	}
	b := openTest(f, "", Options{})
	apply(f, b, 1, doc("a", "Red", "stone"), doc("b", "", "red red wall ~ * AC/DC"), doc("c", "", "東京 title"))
	f.Fuzz(func(t *testing.T, query string) {
		first, err := b.Search(context.Background(), query, 10)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Search(context.Background(), query, 10)
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Errorf("%v, then %v, %v", first, again, err)
		}
		if utf8.ValidString(query) && strings.Contains(" "+strings.ToLower(query)+" ", " stone ") && len(first) == 0 {
			t.Error("nothing found")
		}
	})
}

// TestCacheBounded searches with a cache that has no room, and with one that
// has: the results are the same.
func TestCacheBounded(t *testing.T) {
	t.Parallel()
	b := openTest(t, "", Options{})
	var docs []messages.Document
	for i := range 200 {
		docs = append(docs, doc(fmt.Sprint("doc ", i), fmt.Sprint("Title ", i), fmt.Sprint("words of a passage number", i)))
	}
	apply(t, b, 1, docs...)
	queries := []string{"words passage", "number7 number8 title", "unheard of"}
	var want [][]string
	for _, q := range queries {
		want = append(want, search(t, b, q, 10))
	}
	b.cache.mu.Lock()
	b.cache.room = 0
	clear(b.cache.terms)
	b.cache.mu.Unlock()
	for i, q := range queries {
		wantIDs(t, search(t, b, q, 10), want[i]...)
	}
	if n := len(b.cache.terms); n != 0 {
		t.Errorf("%d terms without room", n)
	}
	apply(t, b, 2)
	for i, q := range queries {
		wantIDs(t, search(t, b, q, 10), want[i]...)
	}
	if n := len(b.cache.terms); n == 0 {
		t.Error("nothing is kept")
	}
}

// TestBest compares with a full sort.
func TestBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	id := func(num uint64) (string, error) { return fmt.Sprint("id", (num*7919)%1000), nil }
	for range 200 {
		n, k := rng.IntN(60), 1+rng.IntN(20)
		top := newBest(k, nil, id)
		var all []hit
		for num := range n {
			h := hit{score: float64(rng.IntN(5)), num: uint64(num)}
			top.add(h)
			h.id, _ = id(h.num)
			all = append(all, h)
		}
		slices.SortFunc(all, func(a, b hit) int {
			if a.score != b.score {
				return int(b.score - a.score)
			}
			return strings.Compare(a.id, b.id)
		})
		got, err := top.sorted()
		if err != nil || !slices.Equal(got, all[:min(n, k)]) {
			t.Fatalf("%v, want %v", got, all[:min(n, k)])
		}
	}
}
