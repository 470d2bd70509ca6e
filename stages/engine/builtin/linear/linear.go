// Package linear holds linear models over hashed features: what a unit of text
// or a candidate answer is worth. A feature is named by a template and what it
// was observed on, and is known by the hash of both (the hashing trick:
// Weinberger and others, ICML 2009), so that a model needs no dictionary.
//
//	linear.go  Features, Model: observing, and what it is worth
//	file.go    a model as a file of a few bytes for each weight that is not zero
//	fit.go     Fit: weights from groups of which some members are right
package linear

// Bits is the number of bits of a feature's place: features that meet in one
// place share a weight.
const Bits = 19

// dense is how many places are kept for features that are known by number.
const dense = 256

// Feature is what was observed: a place in a model, and how much of it.
type Feature struct {
	At    uint32
	Value float32
}

// Features are observations of one thing. The zero value has none.
type Features []Feature

// Number adds the numbered feature n, from 0 to 255; nothing if v is 0.
func (f *Features) Number(n int, v float32) {
	if v != 0 {
		*f = append(*f, Feature{uint32(n), v})
	}
}

// Word adds the feature that a template and what it saw name.
func (f *Features) Word(v float32, template, a uint64) {
	*f = append(*f, Feature{place(mix(template+seed, a)), v})
}

// Pair adds the feature that a template and the two things it saw name.
func (f *Features) Pair(v float32, template, a, b uint64) {
	*f = append(*f, Feature{place(mix(mix(template+seed, a), b)), v})
}

// Triple adds the feature that a template and the three things it saw name.
func (f *Features) Triple(v float32, template, a, b, c uint64) {
	*f = append(*f, Feature{place(mix(mix(mix(template+seed, a), b), c)), v})
}

const seed = 0x9e3779b97f4a7c15

// mix is the finalizer of SplitMix64 over both.
func mix(h, x uint64) uint64 {
	h ^= x + seed + h<<6 + h>>2
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func place(h uint64) uint32 {
	at := uint32(h >> (64 - Bits))
	if at < dense {
		at += dense
	}
	return at
}

// Model is what each place is worth.
type Model struct{ weights []float32 }

// New returns a model in which everything is worth nothing.
func New() *Model { return &Model{make([]float32, 1<<Bits)} }

// Score returns what all the features are worth together.
func (m *Model) Score(f Features) (s float32) {
	for _, x := range f {
		s += m.weights[x.At] * x.Value
	}
	return s
}
