package vector

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
)

// sketcher makes sketches, which are binary codes of vectors: a vector is turned
// by a random rotation, the same for all, and the sketch keeps the sign of each
// of its numbers. The rotation spreads what an embedder puts into a few numbers
// over all of them, so that every bit is equally informative. A sketch needs 1
// bit where a vector needs 32, and tells the distance of two vectors well enough
// to rule out most passages.
type sketcher struct {
	bits  int              // of a sketch: a power of two, at least a vector's length
	signs [turns][]float32 // the random signs of each round of the rotation
}

const (
	leastBits = 512
	turns     = 2
)

func newSketcher(dims int) *sketcher {
	k := &sketcher{bits: leastBits}
	for k.bits < dims {
		k.bits *= 2
	}
	rng := rand.New(rand.NewPCG(1, 1)) // a fixed seed: all sketches must come from the same turns
	for i := range k.signs {
		k.signs[i] = make([]float32, k.bits)
		for j := range k.signs[i] {
			k.signs[i][j] = float32(1 - 2*int(rng.Uint64()&1))
		}
	}
	return k
}

// words is the length of a sketch in 64-bit words.
func (k *sketcher) words() int { return k.bits / 64 }

// turned returns v after the rotation. Each of its rounds flips signs at random
// and then applies a Hadamard transform, which mixes every number with every
// other. The result is not normalised.
func (k *sketcher) turned(v []float32) []float32 {
	out := make([]float32, k.bits)
	copy(out, v)
	for _, signs := range k.signs {
		for i := 0; i+4 <= len(out); i += 4 { // the transform's first two steps
			o, x := (*[4]float32)(out[i:]), (*[4]float32)(signs[i:])
			a, b, c, d := o[0]*x[0], o[1]*x[1], o[2]*x[2], o[3]*x[3]
			a, b, c, d = a+b, a-b, c+d, c-d
			o[0], o[1], o[2], o[3] = a+c, b+d, a-c, b-d
		}
		for h := 4; h < len(out); h *= 2 {
			for i := 0; i < len(out); i += 2 * h {
				a, b := out[i:i+h], out[i+h:i+2*h]
				for j := range a {
					a[j], b[j] = a[j]+b[j], a[j]-b[j]
				}
			}
		}
	}
	return out
}

// sketch writes the sketch of v.
func (k *sketcher) sketch(to []uint64, v []float32) {
	clear(to)
	for i, x := range k.turned(v) {
		if x > 0 {
			to[i/64] |= 1 << (i % 64)
		}
	}
}

// planes returns a query in the form in which it is compared with sketches: its
// numbers rounded to integers from -7 to 7, in two's complement of four bits.
// The word planes[i][d] holds bit d of the 64 numbers from 64*i on.
func (k *sketcher) planes(q []float32) [][4]uint64 {
	v := k.turned(q)
	most := float32(math.SmallestNonzeroFloat32)
	for _, x := range v {
		most = max(most, x, -x)
	}
	planes := make([][4]uint64, k.words())
	for i, x := range v {
		n := uint64(int(math.Round(float64(x / most * 7))))
		for digit := range 4 {
			planes[i/64][digit] |= (n >> digit & 1) << (i % 64)
		}
	}
	return planes
}

// likeness returns the sum of the query's numbers at which the sketch has a 1.
// It grows with the cosine of query and vector.
func likeness(planes [][4]uint64, sketch []uint64) int {
	n := 0
	for i, p := range planes[:len(sketch)] {
		w := sketch[i]
		n += bits.OnesCount64(w&p[0]) + 2*bits.OnesCount64(w&p[1]) + 4*bits.OnesCount64(w&p[2]) - 8*bits.OnesCount64(w&p[3])
	}
	return n
}

// draw makes the sketches of the passages that have none yet, on all cores.
func (s *snapshot) draw() {
	if s.sketcher == nil {
		s.sketcher = newSketcher(s.dims)
	}
	words := s.sketcher.words()
	first := len(s.sketches) / words
	missing := make([]uint64, (s.rows()-first)*words)
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), (s.rows()-first+63)/64)
	for w := range workers {
		wg.Go(func() {
			for i := first + w; i < s.rows(); i += workers {
				s.sketcher.sketch(missing[(i-first)*words:(i-first+1)*words], s.row(i))
			}
		})
	}
	wg.Wait()
	s.sketches = append(s.sketches, missing...)
}
