package lang

// Wanted is a set of stems that a Scanner looks for. It holds their first two
// letters only: outside the word list, a stem begins with the first two letters
// of its word, so a word that begins otherwise need not be stemmed.
type Wanted struct{ second [32]uint32 } // by first letter, the set of second letters

// Add adds a stem.
func (w *Wanted) Add(stem string) {
	switch len(stem) {
	case 0:
	case 1: // the stem of a longer word, whose second letter is not known
		w.second[stem[0]&31] = ^uint32(0)
	default:
		w.second[stem[0]&31] |= 1 << (stem[1] & 31)
	}
}

// opens reports whether the stem of an ASCII word that begins with the letters
// a and b, in either case, may be in the set.
func (w *Wanted) opens(a, b byte) bool { return w.second[a&31]>>(b&31)&1 != 0 }
