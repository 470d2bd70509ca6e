package lang

import "math/bits"

// The stemmer is our own although bleve brings one, go-porterstemmer v1.0.3,
// which gives other stems and takes longer:
//
//   - Of the 149,566 distinct words of the public data sets, 4,534 that known.go
//     does not list get another stem (1.4 % of the running words). Ours keeps
//     the s of "famous" and "census" and the y of "play" and "railway", and
//     takes "or" off "director". With the library's stems the link files are
//     written differently (TestFormatNumber in index/links) and the recorded
//     recall changes (index/golden).
//   - On the words of the demo's corpus it takes 3.7 times as long as porter,
//     even with a buffer that it need not allocate. The whole tokeniser took 17,
//     57 and 61 % longer with it in three pairs of one run (BenchmarkText).

// maxStem is the longest word that is stemmed; longer ones are no English.
const maxStem = 40

// Stem returns the stem of a normal form: Porter's, with the common irregular
// forms brought to their base first. Words that carry structure stay whole.
func Stem(norm string) string {
	if e := lookUp(norm); e != nil {
		return e.stem
	}
	return regular(norm)
}

// stemInPlace turns b, a normal form that the word list does not hold, into its
// stem, which is b[:n]. It reports whether those bytes stayed the same, so that
// the stem can share the word's memory.
func stemInPlace(b []byte) (n int, same bool) {
	if len(b) <= 2 || len(b) > maxStem || !stemmable(b[len(b)-2], b[len(b)-1]) {
		return len(b), true
	}
	for _, c := range b {
		if c < 'a' || c > 'z' {
			return len(b), true
		}
	}
	return porter(b)
}

// stemmable reports whether a word that ends with the letters a and b, in
// either case, may have a stem other than itself.
func stemmable(a, b byte) bool { return mayStem[b&31]>>(a&31)&1 != 0 }

// mayStem holds for each last letter the set of second-to-last letters with
// which some step of the algorithm can apply.
var mayStem = func() (t [32]uint32) {
	for _, c := range "sye" {
		t[c&31] = ^uint32(0)
	}
	for _, end := range []string{"ed", "ng", "ll"} {
		t[end[1]&31] |= 1 << (end[0] & 31)
	}
	for _, rules := range [][]suffix{step2, step3, step4} {
		for _, r := range rules {
			t[r.from[len(r.from)-1]&31] |= 1 << (r.from[len(r.from)-2] & 31)
		}
	}
	return t
}()

// stemming is a word under Porter's algorithm.
type stemming struct {
	b      []byte
	n      int    // the word is now b[:n]
	vowels uint64 // bit i: b[i] is a vowel, which a y after a consonant is too
	kept   int    // b[:kept] was not changed
}

// porter stems a word of 3 to maxStem letters in place: its stem is b[:n]. It
// reports whether those bytes stayed the same. The word never gets longer.
func porter(b []byte) (n int, same bool) {
	w := stemming{b: b, n: len(b), vowels: vowelsOf(b), kept: len(b)}
	w.inflected()
	if w.n >= 5 {
		w.derived()
	}
	w.tidy()
	return w.n, w.n <= w.kept
}

func vowelsOf(b []byte) (v uint64) {
	for i, c := range b {
		v |= vowelBit(c) << i
		if c == 'y' && i > 0 && v>>(i-1)&1 == 0 {
			v |= 1 << i
		}
	}
	return v
}

func vowelBit(c byte) uint64 {
	const set = 1<<('a'&31) | 1<<('e'&31) | 1<<('i'&31) | 1<<('o'&31) | 1<<('u'&31)
	return set >> (c & 31) & 1
}

func (w *stemming) vowel(i int) bool { return w.vowels>>i&1 != 0 }

// measure counts the vowel-consonant sequences of the first n letters.
func (w *stemming) measure(n int) int {
	return bits.OnesCount64(w.vowels << 1 &^ w.vowels & (1<<n - 1))
}

// voiced reports whether one of the first n letters is a vowel.
func (w *stemming) voiced(n int) bool { return w.vowels&(1<<n-1) != 0 }

// cvc reports whether the first n letters end consonant, vowel, consonant, the
// last not w, x or y.
func (w *stemming) cvc(n int) bool {
	if n < 3 || w.vowels>>(n-3)&7 != 2 {
		return false
	}
	c := w.b[n-1]
	return c != 'w' && c != 'x' && c != 'y'
}

func (w *stemming) has(suffix string) bool {
	n := w.n - len(suffix)
	return n >= 0 && string(w.b[n:w.n]) == suffix
}

// put replaces what follows the first n letters with to, which must hold no y:
// whether that is a vowel depends on the letter before it.
func (w *stemming) put(n int, to string) {
	for i := range len(to) {
		if w.b[n+i] != to[i] {
			w.b[n+i], w.kept = to[i], min(w.kept, n+i)
		}
		w.vowels = w.vowels&^(1<<(n+i)) | vowelBit(to[i])<<(n+i)
	}
	w.n = n + len(to)
}

// inflected takes off plurals, -ed and -ing: Porter's step 1.
func (w *stemming) inflected() {
	// 1a
	if w.b[w.n-1] == 's' {
		switch {
		case w.has("sses") || w.has("ies") && w.n > 4:
			w.n -= 2
		case w.has("ies"):
			w.n--
		case w.b[w.n-2] == 's' || w.b[w.n-2] == 'u':
		case w.n > 3:
			w.n--
		}
	}
	// 1b
	cut := false
	switch w.b[w.n-1] {
	case 'd':
		switch {
		case w.has("eed"):
			if w.measure(w.n-3) > 0 {
				w.n--
			}
		case w.has("ed") && w.voiced(w.n-2):
			w.n, cut = w.n-2, true
		}
	case 'g':
		if w.has("ing") && w.voiced(w.n-3) {
			w.n, cut = w.n-3, true
		}
	}
	if cut {
		n := w.n
		switch {
		case w.has("at") || w.has("bl") || w.has("iz"):
			w.put(n, "e")
		case n > 1 && w.b[n-1] == w.b[n-2] && !w.vowel(n-1):
			if c := w.b[n-1]; c != 'l' && c != 's' && c != 'z' {
				w.n--
			}
		case w.measure(n) == 1 && w.cvc(n):
			w.put(n, "e")
		}
	}
	// 1c
	if n := w.n; n > 2 && w.b[n-1] == 'y' && !w.vowel(n-2) {
		w.put(n-1, "i")
	}
}

// derived takes off derivational suffixes: Porter's steps 2, 3 and 4.
func (w *stemming) derived() {
	for _, r := range by2.of(w) {
		if w.has(r.from) {
			w.swap(r)
			break
		}
	}
	for _, r := range by3.of(w) {
		if w.has(r.from) {
			w.swap(r)
			break
		}
	}
	for _, r := range by4.of(w) {
		if !w.has(r.from) {
			continue
		}
		n := w.n - len(r.from)
		if w.measure(n) > 1 && (r.from != "ion" || w.b[n-1] == 's' || w.b[n-1] == 't') {
			w.n = n
		}
		break
	}
}

// swap replaces a suffix if the measure of what precedes it is above 0.
func (w *stemming) swap(r suffix) {
	if n := w.n - len(r.from); w.measure(n) > 0 {
		w.put(n, r.to)
	}
}

// tidy takes off a last e and the second of two l: Porter's step 5.
func (w *stemming) tidy() {
	if n := w.n; n > 1 && w.b[n-1] == 'e' {
		if m := w.measure(n - 1); m > 1 || m == 1 && !w.cvc(n-1) {
			w.n--
		}
	}
	if w.has("ll") && w.measure(w.n) > 1 {
		w.n--
	}
}

// suffix is a suffix and what replaces it.
type suffix struct{ from, to string }

var step2 = []suffix{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}, {"logi", "log"},
}

var step3 = []suffix{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

// step4 is Porter's with "or" added, so that director shares its stem with direct.
var step4 = []suffix{
	{from: "al"}, {from: "ance"}, {from: "ence"}, {from: "er"}, {from: "or"}, {from: "ic"}, {from: "able"}, {from: "ible"},
	{from: "ant"}, {from: "ement"}, {from: "ment"}, {from: "ent"}, {from: "ion"}, {from: "ou"}, {from: "ism"}, {from: "ate"},
	{from: "iti"}, {from: "ous"}, {from: "ive"}, {from: "ize"},
}

var by2, by3, by4 = groupSuffixes(step2), groupSuffixes(step3), groupSuffixes(step4)

// suffixes are the suffixes of a step, grouped by their last two letters, so
// that a word is compared with few of them.
type suffixes struct {
	group [32 * 32]uint8
	rules [][]suffix // rules[0] is empty: no suffix ends so
}

func groupSuffixes(rules []suffix) *suffixes {
	t := &suffixes{rules: make([][]suffix, 1)}
	for _, r := range rules {
		end := r.from[len(r.from)-2:]
		g := &t.group[int(end[0]&31)<<5|int(end[1]&31)]
		if *g == 0 {
			*g = uint8(len(t.rules))
			t.rules = append(t.rules, nil)
		}
		t.rules[*g] = append(t.rules[*g], r)
	}
	return t
}

// of returns the suffixes with the same last two letters as w, which has at
// least two.
func (t *suffixes) of(w *stemming) []suffix {
	return t.rules[t.group[int(w.b[w.n-2]&31)<<5|int(w.b[w.n-1]&31)]]
}
