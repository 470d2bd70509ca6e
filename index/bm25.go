package index

// DefaultK1 and DefaultB are BM25's usual parameters.
const (
	DefaultK1 = 1.2
	DefaultB  = 0.75
)

// BM25 are the parameters of the scoring by words. The zero value means the
// defaults.
type BM25 struct {
	// K1 says how much it counts that a word stands in a passage often; zero
	// means DefaultK1, and a negative value means zero.
	K1 float64
	// B says how much less a word counts in a long passage, from 0 to 1; zero
	// means DefaultB, and a negative value means zero.
	B float64
}

// Values returns the numbers to calculate with.
func (p BM25) Values() (k1, b float64) {
	return orDefault(p.K1, DefaultK1), min(orDefault(p.B, DefaultB), 1)
}

// orDefault is def for a v that is zero or no number, and zero for a negative one.
func orDefault(v, def float64) float64 {
	if v == 0 || v != v {
		return def
	}
	return max(v, 0)
}
