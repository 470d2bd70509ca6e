package score

import "math"

// HMix is the entropy, in nats, of what a question's queries, or the hypothetical
// ones that were searched for in their place, are about
// (MuISQA, eq. 1–3): each embedding's absolute components are normalised to
// sum to 1, the mean over the queries is taken, and its entropy. More
// different queries give more. Embeddings of nothing but zeros are left out.
func HMix(embeddings [][]float32) float64 {
	var mix []float64
	n := 0
	for _, v := range embeddings {
		sum := 0.0
		for _, x := range v {
			sum += math.Abs(float64(x))
		}
		if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
			continue
		}
		n++
		if len(mix) < len(v) {
			mix = append(mix, make([]float64, len(v)-len(mix))...)
		}
		for i, x := range v {
			mix[i] += math.Abs(float64(x)) / sum
		}
	}
	h := 0.0
	for _, p := range mix {
		if p > 0 {
			p /= float64(n)
			h -= p * math.Log(p)
		}
	}
	return h
}
