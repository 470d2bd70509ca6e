package score

import (
	"math"
	"testing"
)

func TestAUROC(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		right, wrong []float64
		want         float64
	}{
		"apart":           {[]float64{.9, .8}, []float64{.1, .2, .3}, 1},
		"the wrong way":   {[]float64{.1}, []float64{.9, .8}, 0},
		"all equal":       {[]float64{.5, .5}, []float64{.5}, .5},
		"one pair of six": {[]float64{.9, .4}, []float64{.5, .3, .2}, 5.0 / 6},
		// Against .5: 1, .5, 0. Against .5 again: the same. Against .2: 1, 1, 1. Of nine pairs, 6.
		"ties": {[]float64{.7, .5, .3}, []float64{.5, .2, .5}, 6.0 / 9},
	} {
		if got, ok := AUROC(c.right, c.wrong); !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, c.want)
		}
	}
	for _, c := range [][2][]float64{{nil, {1}}, {{1}, nil}, {nil, nil}} {
		if _, ok := AUROC(c[0], c[1]); ok {
			t.Errorf("an area of %v", c)
		}
	}
}
