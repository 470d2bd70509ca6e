package score

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The bootstrap's settings. The seed is fixed: the same values have the same
// interval in every run.
const (
	Confidence = 0.95
	resamples  = 1000
	seed1      = 0x9E3779B97F4A7C15
	seed2      = 0xD1B54A32D192ED03
)

// Interval is a confidence interval of a mean.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Bootstrap returns the percentile bootstrap interval of the mean of values
// at Confidence (Efron, 1979): the quantiles of the means of 1,000 samples
// drawn with replacement. Of fewer than two values it is the mean itself.
func Bootstrap(values []float64) Interval {
	n := len(values)
	if n == 0 {
		return Interval{}
	}
	if n == 1 {
		return Interval{values[0], values[0]}
	}
	draw := rand.New(rand.NewPCG(seed1, seed2))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += values[draw.IntN(n)]
		}
		means[i] = sum / float64(n)
	}
	slices.Sort(means)
	return Interval{Quantile(means, (1-Confidence)/2), Quantile(means, (1+Confidence)/2)}
}

// Quantile of sorted values, by nearest rank; 0 of none.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, max(0, int(math.Floor(q*float64(len(sorted))))))]
}

// Mean of values; 0 of none.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
