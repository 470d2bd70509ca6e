package score_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"hopstream/cmd/hoplab/score"
)

// Of many answers, right or wrong, the interval is that of the normal
// approximation, p ± 1.96·√(p(1−p)/n).
func TestBootstrap(t *testing.T) {
	t.Parallel()
	values := make([]float64, 1000)
	for i := range 300 {
		values[i] = 1
	}
	got, half := score.Bootstrap(values), 1.96*math.Sqrt(0.3*0.7/1000)
	if math.Abs(got.Low-(0.3-half)) > 0.004 || math.Abs(got.High-(0.3+half)) > 0.004 {
		t.Errorf("%+v, want %.4f to %.4f", got, 0.3-half, 0.3+half)
	}
	if again := score.Bootstrap(values); again != got {
		t.Errorf("%+v and then %+v of the same values", got, again)
	}
	if one := score.Bootstrap([]float64{.5}); one.Low != .5 || one.High != .5 {
		t.Errorf("of one value %+v", one)
	}
	if same := score.Bootstrap([]float64{2, 2, 2}); same.Low != 2 || same.High != 2 {
		t.Errorf("of equal values %+v", same)
	}
	if none := score.Bootstrap(nil); none != (score.Interval{}) {
		t.Errorf("of none %+v", none)
	}
}

// The interval holds the true mean about as often as it says.
func TestBootstrapCovers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	const samples, size, p = 300, 80, 0.4
	held := 0
	for range samples {
		values := make([]float64, size)
		for i := range values {
			if r.Float64() < p {
				values[i] = 1
			}
		}
		if ci := score.Bootstrap(values); ci.Low <= p && p <= ci.High {
			held++
		}
	}
	if share := float64(held) / samples; share < 0.90 || share > 0.985 {
		t.Errorf("the interval holds the mean in %.1f %% of samples, want about 95", 100*share)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	v := []float64{1, 2, 3, 4}
	for q, want := range map[float64]float64{0: 1, .5: 3, .95: 4, 1: 4} {
		if got := score.Quantile(v, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if score.Quantile(nil, .5) != 0 || score.Mean(nil) != 0 || score.Mean(v) != 2.5 {
		t.Error("of none it is 0; the mean is 2.5")
	}
}
