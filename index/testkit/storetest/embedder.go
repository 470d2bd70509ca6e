package storetest

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
)

// Embedder makes vectors without a model: every word has a random direction of
// its own, the same in every process, and a text is the sum of its words'.
// Texts that share words are near each other.
type Embedder struct {
	// Dimension is the length of the vectors; 0 means 256, which keeps words
	// well apart.
	Dimension int
}

// Embed returns one vector of length 1 for each text.
func (e Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.Dimension == 0 {
		e.Dimension = 256
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

func (e Embedder) vector(text string) []float32 {
	sum := make([]float64, e.Dimension)
	sum[0] = 1e-3 // a text without words points somewhere too
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		h := fnv.New64a()
		h.Write([]byte(word))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range sum {
			sum[i] += r.NormFloat64()
		}
	}
	var norm float64
	for _, v := range sum {
		norm += v * v
	}
	norm = math.Sqrt(norm)
	vector := make([]float32, e.Dimension)
	for i, v := range sum {
		vector[i] = float32(v / norm)
	}
	return vector
}
