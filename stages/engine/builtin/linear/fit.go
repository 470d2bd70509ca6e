package linear

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Group is a choice: members of which one is to be chosen, and how right each
// would be. A group without a right member teaches nothing.
type Group struct {
	Members []Features
	Right   []float32 // per member, from 0 (wrong) to 1 (right)
	Weight  float32   // how much the choice counts; 0 means 1
	Source  uint64    // what its members are read from; 0: from what no other group is
}

// Options of a fit. The zero value is useful.
type Options struct {
	Epochs int     // passes over the groups; 5
	Seen   int     // sources in which a hashed feature must occur to be worth anything; 20
	Rate   float64 // AdaGrad's; 0.1
	Decay  float64 // of weights (L2); 1e-6
	Seed   uint64
}

// Fit returns the model under which, of a group's members, those that are right
// are most probable by a softmax over their scores (listwise: Cao and others,
// ICML 2007), by AdaGrad. The same groups and options give the same model.
func Fit(groups []Group, o Options) *Model {
	if o.Epochs == 0 {
		o.Epochs = 5
	}
	if o.Seen == 0 {
		o.Seen = 20
	}
	if o.Rate == 0 {
		o.Rate = 0.1
	}
	if o.Decay == 0 {
		o.Decay = 1e-6
	}
	t := trainer{m: New(), square: make([]float32, 1<<Bits), used: usual(groups, o.Seen), o: o}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	for range o.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			t.learn(&groups[i])
		}
	}
	return t.m
}

// usual returns the places that occur in enough sources. What occurs in many
// questions of a few texts is a memory of these texts: of what was wrong there for
// one question, and is right for the next.
func usual(groups []Group, seen int) []bool {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[a].Source, groups[b].Source) })
	count := make([]int32, 1<<Bits)
	last := make([]int32, 1<<Bits)
	source := int32(0)
	for i, k := range order {
		if g := &groups[k]; i == 0 || g.Source == 0 || g.Source != groups[order[i-1]].Source {
			source++
		}
		for _, f := range groups[k].Members {
			for _, x := range f {
				if last[x.At] != source {
					last[x.At] = source
					count[x.At]++
				}
			}
		}
	}
	used := make([]bool, 1<<Bits)
	for i := range used {
		used[i] = i < dense || int(count[i]) >= seen
	}
	return used
}

type trainer struct {
	m      *Model
	square []float32 // of gradients, summed
	used   []bool
	o      Options
	p      []float64
}

// learn takes one step along the gradient of a group's log likelihood.
func (t *trainer) learn(g *Group) {
	t.p = t.p[:0]
	top, right := math.Inf(-1), false
	for i, f := range g.Members {
		s := float64(t.m.Score(f))
		t.p = append(t.p, s)
		top = max(top, s)
		right = right || g.Right[i] >= 0.5
	}
	if !right {
		return
	}
	all, good := 0.0, 0.0
	for i := range t.p {
		t.p[i] = math.Exp(t.p[i] - top)
		all += t.p[i]
		good += t.p[i] * float64(g.Right[i])
	}
	weight := g.Weight
	if weight == 0 {
		weight = 1
	}
	for i, f := range g.Members {
		grad := weight * float32(t.p[i]/all-t.p[i]*float64(g.Right[i])/max(good, 1e-30))
		if grad > -1e-4 && grad < 1e-4 {
			continue
		}
		for _, x := range f {
			if !t.used[x.At] {
				continue
			}
			w := &t.m.weights[x.At]
			d := grad*x.Value + float32(t.o.Decay)**w
			t.square[x.At] += d * d
			*w -= float32(t.o.Rate) * d / (float32(math.Sqrt(float64(t.square[x.At]))) + 1e-6)
		}
	}
}
