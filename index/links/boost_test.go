package links

import (
	"math"
	"math/rand/v2"
	"slices"
)

// rows are training data: the candidates of one question after another.
type rows struct {
	x      [][]float32
	y      []bool
	groups []int // where each question's rows end
}

func (d *rows) add(e *rows) {
	if len(e.x) == 0 {
		return
	}
	d.x, d.y = append(d.x, e.x...), append(d.y, e.y...)
	d.groups = append(d.groups, len(d.x))
}

// boosting fits trees by gradient boosting, leaf by leaf, on histograms.
type boosting struct {
	trees, leaves, least int // least: rows on either side of a split
	rate, l2             float64
	order                bool // fit the order of the first places (LambdaMART), not each row alone
	sample, features     float64
}

// fitting is one fit in progress.
type fitting struct {
	boosting
	d    *rows
	cuts [][]float32
	bins [][]uint8 // by feature, by row
	g, h []float64 // gradient and curvature, by row
}

func (o boosting) fit(d *rows) trees {
	n, width := len(d.x), len(d.x[0])
	f := &fitting{boosting: o, d: d, cuts: make([][]float32, width), bins: make([][]uint8, width), g: make([]float64, n), h: make([]float64, n)}
	parallel(width, f.bin)
	random := rand.New(rand.NewPCG(1, 2))
	var m trees
	if !o.order {
		gold := 0.0
		for _, y := range d.y {
			if y {
				gold++
			}
		}
		m.bias = math.Log(gold / (float64(n) - gold))
	}
	score := make([]float64, n)
	for i := range score {
		score[i] = m.bias
	}
	for range o.trees {
		if o.order {
			f.lambdas(score)
		} else {
			for i, y := range d.y {
				p := sigmoid(score[i])
				f.g[i], f.h[i] = -p, p*(1-p)
				if y {
					f.g[i]++
				}
			}
		}
		var use []int32
		from := 0
		for _, to := range d.groups {
			if random.Float64() < o.sample {
				for i := from; i < to; i++ {
					use = append(use, int32(i))
				}
			}
			from = to
		}
		var by []int
		for i := range width {
			if len(f.cuts[i]) > 0 && random.Float64() < o.features {
				by = append(by, i)
			}
		}
		tree := trees{all: [][]node{f.grow(use, by)}}
		m.all = append(m.all, tree.all[0])
		parallel(n, func(i int) { score[i] += tree.predict(d.x[i]) })
	}
	return m
}

// bin cuts feature i into at most 56 ranges of about equal size, finer at the
// rare high end.
func (f *fitting) bin(i int) {
	var vals []float32
	for r := 0; r < len(f.d.x); r += max(1, len(f.d.x)/20000) {
		vals = append(vals, f.d.x[r][i])
	}
	slices.Sort(vals)
	var cuts []float32
	if different := slices.Compact(slices.Clone(vals)); len(different) <= 48 {
		for k := range len(different) - 1 {
			cuts = append(cuts, (different[k]+different[k+1])/2)
		}
	} else {
		var at []float64
		for k := 1; k < 48; k++ {
			at = append(at, float64(k)/48)
		}
		for _, q := range append(at, 0.985, 0.99, 0.9925, 0.995, 0.9975, 0.999) {
			if v := vals[int(q*float64(len(vals)-1))]; len(cuts) == 0 || v > cuts[len(cuts)-1] {
				cuts = append(cuts, v)
			}
		}
	}
	bins := make([]uint8, len(f.d.x))
	for r := range bins {
		k, _ := slices.BinarySearch(cuts, f.d.x[r][i])
		bins[r] = uint8(k)
	}
	f.cuts[i], f.bins[i] = cuts, bins
}

// lambdas are the gradients of a truncated measure of order: what swapping a
// passage of the evidence with another changes in recall@5 with a soft edge.
func (f *fitting) lambdas(score []float64) {
	worth := func(rank int) float64 {
		return 1/(1+math.Exp(float64(rank-5)/1.5)) + 0.3/math.Log2(float64(rank)+2)
	}
	parallel(len(f.d.groups), func(k int) {
		from, to := 0, f.d.groups[k]
		if k > 0 {
			from = f.d.groups[k-1]
		}
		var order, gold []int
		for i := from; i < to; i++ {
			f.g[i], f.h[i] = 0, 1e-9
			order = append(order, i)
			if f.d.y[i] {
				gold = append(gold, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case score[a] > score[b]:
				return -1
			case score[a] < score[b]:
				return 1
			}
			return 0
		})
		worths := make([]float64, to-from)
		for rank, i := range order {
			worths[i-from] = worth(rank)
		}
		for _, i := range gold {
			for _, j := range order {
				delta := math.Abs(worths[i-from]-worths[j-from]) / float64(len(gold))
				if f.d.y[j] || delta < 1e-4 {
					continue
				}
				p := sigmoid(score[j] - score[i])
				f.g[i] += delta * p
				f.g[j] -= delta * p
				f.h[i] += delta * p * (1 - p)
				f.h[j] += delta * p * (1 - p)
			}
		}
	})
}

type leaf struct {
	rows  []int32
	g, h  float64
	at    int // node
	depth int
	split split
}

type split struct {
	gain         float64
	feature, cut int
}

func (f *fitting) grow(use []int32, by []int) []node {
	root := &leaf{rows: use}
	for _, r := range use {
		root.g += f.g[r]
		root.h += f.h[r]
	}
	root.split = f.bestSplit(root, by)
	tree := []node{{feature: -1}}
	leaves := []*leaf{root}
	for len(leaves) < f.leaves {
		k := -1
		for i, l := range leaves {
			if l.split.gain > 1e-9 && l.depth < 6 && (k < 0 || l.split.gain > leaves[k].split.gain) {
				k = i
			}
		}
		if k < 0 {
			break
		}
		l := leaves[k]
		a, b := &leaf{depth: l.depth + 1, at: len(tree)}, &leaf{depth: l.depth + 1, at: len(tree) + 1}
		for _, r := range l.rows {
			to := b
			if int(f.bins[l.split.feature][r]) <= l.split.cut {
				to = a
			}
			to.rows = append(to.rows, r)
			to.g += f.g[r]
			to.h += f.h[r]
		}
		tree[l.at] = node{feature: int16(l.split.feature), left: int16(a.at), right: int16(b.at), cut: f.cuts[l.split.feature][l.split.cut]}
		tree = append(tree, node{feature: -1}, node{feature: -1})
		a.split, b.split = f.bestSplit(a, by), f.bestSplit(b, by)
		leaves[k] = a
		leaves = append(leaves, b)
	}
	for _, l := range leaves {
		tree[l.at].value = f.rate * l.g / (l.h + f.l2)
	}
	return tree
}

func (f *fitting) bestSplit(l *leaf, by []int) (best split) {
	if len(l.rows) < 2*f.least {
		return split{}
	}
	found := make([]split, len(by))
	parallel(len(by), func(k int) {
		var g, h [64]float64
		var n [64]int
		bins := f.bins[by[k]]
		for _, r := range l.rows {
			b := bins[r] & 63
			g[b] += f.g[r]
			h[b] += f.h[r]
			n[b]++
		}
		lg, lh, ln := 0.0, 0.0, 0
		for c := range f.cuts[by[k]] {
			lg, lh, ln = lg+g[c], lh+h[c], ln+n[c]
			if ln < f.least || len(l.rows)-ln < f.least {
				continue
			}
			rg, rh := l.g-lg, l.h-lh
			gain := lg*lg/(lh+f.l2) + rg*rg/(rh+f.l2) - l.g*l.g/(l.h+f.l2)
			if gain > found[k].gain {
				found[k] = split{gain, by[k], c}
			}
		}
	})
	for _, s := range found {
		if s.gain > best.gain {
			best = s
		}
	}
	return best
}
