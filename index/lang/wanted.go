package lang

// Wanted is a set of stems that a Scanner looks for. It knows how they begin:
// a stem keeps the first two letters of its word, but for irregular forms.
type Wanted struct{ second [32]uint32 } // letters, by the first

// Add adds a stem.
func (w *Wanted) Add(stem string) {
	switch len(stem) {
	case 0:
	case 1: // what is left of a longer word
		w.second[stem[0]&31] = ^uint32(0)
	default:
		w.second[stem[0]&31] |= 1 << (stem[1] & 31)
	}
}

// opens reports whether the stem of a word of ASCII that begins with a and b,
// in either case, may be in the set.
func (w *Wanted) opens(a, b byte) bool { return w.second[a&31]>>(b&31)&1 != 0 }
