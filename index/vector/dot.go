package vector

import (
	"errors"
	"math"

	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"
)

// dot returns the scalar product of two vectors of one length, not 0.
var dot = fastest()

func fastest() func(a, b []float32) float32 {
	if vek.Info().Acceleration {
		return vek32.Dot
	}
	return plainDot
}

// plainDot is dot for machines without AVX2.
func plainDot(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		s4 += a[4] * b[4]
		s5 += a[5] * b[5]
		s6 += a[6] * b[6]
		s7 += a[7] * b[7]
		a, b = a[8:], b[8:]
	}
	for i := range min(len(a), len(b)) {
		s0 += a[i] * b[i]
	}
	return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
}

var errNotNumbers = errors.New("the embedder made a vector with values that are no numbers")

// normalised returns v at length 1. A vector of zeros, which stands for a text
// without meaning, stays as it is.
func normalised(v []float32) ([]float32, error) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, errNotNumbers
	}
	out := make([]float32, len(v))
	if sum == 0 {
		return out, nil
	}
	n := 1 / math.Sqrt(sum)
	for i, x := range v {
		out[i] = float32(float64(x) * n)
	}
	return out, nil
}
