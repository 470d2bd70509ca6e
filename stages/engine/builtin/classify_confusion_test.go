package builtin

import (
	"slices"
	"testing"

	"hopstream/index/lang"
)

// row is how many questions went to each class, in classOrder.
type row [4]int

func (r row) questions() int { return r[0] + r[1] + r[2] + r[3] }

func (r row) shares() (s [4]float64) {
	for c := range r {
		s[c] = 100 * float64(r[c]) / float64(max(1, r.questions()))
	}
	return s
}

// routed is what became of examples.
type routed struct {
	sets    map[string]row
	classes [4][4]float64 // percent, each set of a class counting alike
}

// route classifies examples, as typed.
func route(examples []example, typed func(string) string) routed {
	r := routed{sets: map[string]row{}}
	class := map[string]int{}
	for _, e := range examples {
		got := slices.Index(classOrder[:], classify(typed(e.text)))
		n := r.sets[e.set]
		n[got]++
		r.sets[e.set] = n
		class[e.set] = e.class
	}
	var sets [4]float64
	for set := range r.sets {
		sets[class[set]]++
	}
	for set, n := range r.sets {
		for c, share := range n.shares() {
			r.classes[class[set]][c] += share / sets[class[set]]
		}
	}
	return r
}

// accuracy is the mean over the classes, in percent.
func (r routed) accuracy() float64 {
	return (r.classes[0][0] + r.classes[1][1] + r.classes[2][2] + r.classes[3][3]) / 4
}

func (r routed) log(t *testing.T, what string) {
	n := 0
	for _, row := range r.sets {
		n += row.questions()
	}
	t.Logf("%s: %d questions, accuracy %.2f %%; rows are right, columns are given, in percent:", what, n, r.accuracy())
	t.Logf("%16s %15s %15s %15s %15s", "", classOrder[0], classOrder[1], classOrder[2], classOrder[3])
	for c, s := range r.classes {
		t.Logf("%16s %15.1f %15.1f %15.1f %15.1f", classOrder[c], s[0], s[1], s[2], s[3])
	}
}

// balanced returns as many examples of each class, and of each set of a class.
func balanced(examples []example) []example {
	bySet := map[string][]example{}
	for _, e := range examples {
		bySet[e.set] = append(bySet[e.set], e)
	}
	each := perClass
	for c := range sources {
		for _, set := range sources[c].sets {
			each = min(each, len(bySet[set])*len(sources[c].sets))
		}
	}
	var some []example
	for c := range sources {
		sets := sources[c].sets
		for i, set := range sets {
			list := bySet[set]
			slices.SortFunc(list, func(a, b example) int { return compareHash(a.text, b.text) })
			some = append(some, list[:(each+i)/len(sets)]...)
		}
	}
	return some
}

// compareHash orders texts by their hashes.
func compareHash(a, b string) int {
	if x, y := lang.Hash(a), lang.Hash(b); x < y {
		return -1
	} else if x > y {
		return 1
	}
	return 0
}
