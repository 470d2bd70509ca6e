package linear_test

import (
	"bytes"
	"testing"

	"hopstream/stages/engine/builtin/linear"
)

// groups are choices among three, of which the one with feature 7 is right, and
// words that say nothing.
func groups() (out []linear.Group) {
	for i := range uint64(60) {
		var a, b, c linear.Features
		a.Number(7, 1)
		a.Word(1, 1, i%5)
		b.Number(3, 1)
		b.Pair(1, 2, i%3, 9)
		c.Triple(1, 3, i, i, i) // each seen once
		out = append(out, linear.Group{Members: []linear.Features{b, a, c}, Right: []float32{0, 1, 0}})
	}
	return out
}

func TestFit(t *testing.T) {
	t.Parallel()
	all := groups()
	m := linear.Fit(all, linear.Options{Seed: 1})
	for _, g := range all {
		if right, b, c := m.Score(g.Members[1]), m.Score(g.Members[0]), m.Score(g.Members[2]); right <= b || right <= c {
			t.Fatalf("the right one scores %v, the others %v and %v", right, b, c)
		}
	}
	if s := m.Score(all[3].Members[2]); s != 0 {
		t.Errorf("what was seen once is worth %v", s)
	}
	if again := linear.Fit(all, linear.Options{Seed: 1}); !bytes.Equal(again.Bytes(), m.Bytes()) {
		t.Error("the same groups give another model")
	}
	if none := linear.Fit([]linear.Group{{Members: all[0].Members, Right: []float32{0, 0, 0}}}, linear.Options{Seen: 1}); none.Score(all[0].Members[1]) != 0 {
		t.Error("something is learned of a choice without a right one")
	}
}

// TestFitSources holds that what occurs in many groups of few sources is worth
// nothing, and what occurs in as many of different ones is.
func TestFitSources(t *testing.T) {
	t.Parallel()
	for sources, learned := range map[uint64]bool{3: false, 30: true} {
		all := groups()
		for i := range all {
			all[i].Members[1].Word(1, 9, 9)
			all[i].Source = 1 + uint64(i)%sources
		}
		var word linear.Features
		word.Word(1, 9, 9)
		if s := linear.Fit(all, linear.Options{Seed: 1}).Score(word); (s != 0) != learned {
			t.Errorf("of %d sources: %v", sources, s)
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	all := groups()
	m := linear.Fit(all, linear.Options{Seed: 1})
	data := m.Bytes()
	again, err := linear.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		for _, f := range g.Members {
			if d := again.Score(f) - m.Score(f); d > 0.01 || d < -0.01 {
				t.Fatalf("%v instead of %v", again.Score(f), m.Score(f))
			}
		}
	}
	for _, bad := range [][]byte{nil, []byte("HOPW"), append([]byte("garbage"), data...), data[:len(data)-1], append(bytes.Clone(data), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0, 0)} {
		if _, err := linear.Read(bad); err == nil {
			t.Errorf("%.20q is read", bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(linear.Fit(groups(), linear.Options{}).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := linear.Read(data)
		if err != nil {
			return
		}
		if _, err := linear.Read(m.Bytes()); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	m := linear.Fit(groups(), linear.Options{})
	var f linear.Features
	b.ReportAllocs()
	for b.Loop() {
		f = f[:0]
		for i := range uint64(40) {
			f.Pair(1, i, 7, 8)
		}
		m.Score(f)
	}
}
