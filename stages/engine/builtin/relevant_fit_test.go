package builtin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The fit: AdaGrad over the loss of choosing passages one by one, each time a
// gold one before all others that are left.
const (
	relEpochs  = 60
	relRate    = 0.1
	relPenalty = 1e-4
	relKeep    = 3
)

// fitRelevance returns the weights for the lessons.
func fitRelevance(lessons []*judged) (w [relFeatures]float32) {
	var at, squares [relFeatures]float64
	random := rand.New(rand.NewPCG(1, 2))
	for range relEpochs {
		for _, n := range random.Perm(len(lessons)) {
			j := lessons[n]
			c := &choice{q: &j.q, read: slices.Clone(j.read)}
			for left, k := j.golds, 0; left > 0 && k < min(relKeep, len(c.read)); k++ {
				next, slope := j.slope(c, &at)
				for i, g := range slope {
					g = j.share*g + relPenalty*at[i]
					squares[i] += g * g
					at[i] -= relRate * g / math.Sqrt(squares[i]+1e-6)
				}
				c.take(next)
				if j.gold[next] {
					left--
				}
			}
		}
	}
	for i := range w {
		w[i] = float32(math.Round(at[i]*100) / 100)
	}
	return w
}

// slope returns the passage that the weights choose next, and the slope of
// the negative log likelihood that it is a gold one.
func (j *judged) slope(c *choice, weights *[relFeatures]float64) (next int, slope [relFeatures]float64) {
	features := make([][relFeatures]float32, len(c.read))
	worth := make([]float64, len(c.read))
	next = -1
	for i := range c.read {
		if c.read[i].chosen {
			continue
		}
		features[i] = c.features(i)
		for k, x := range features[i] {
			worth[i] += weights[k] * float64(x)
		}
		if next < 0 || worth[i] > worth[next] {
			next = i
		}
	}
	var all, gold float64
	top := worth[next]
	for i := range worth {
		if c.read[i].chosen {
			worth[i] = 0
			continue
		}
		worth[i] = math.Exp(worth[i] - top)
		all += worth[i]
		if j.gold[i] {
			gold += worth[i]
		}
	}
	for i := range worth {
		d := worth[i] / all
		if j.gold[i] {
			d -= worth[i] / gold
		}
		for k, x := range features[i] {
			slope[k] += d * float64(x)
		}
	}
	return next, slope
}

// relNamesOf are the features as weights.go spells them.
var relNamesOf = strings.Fields(`relAll relBest relBestSquare relNames relTitleNames relNamed relWhole relBare relTyped
	relListed relRank relScore relNew relLinked relLinkedPlace relLinkedPerson`)

// printRelevance shows weights as weights.go has them.
func printRelevance(t *testing.T, w [relFeatures]float32) {
	var b strings.Builder
	for i, name := range relNamesOf {
		fmt.Fprintf(&b, "\t%s: %g,\n", name, w[i])
	}
	t.Logf("relevanceWeights:\n%s", b.String())
}
