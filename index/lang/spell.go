package lang

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// minSpelt is how many letters a word has that may be misspelt. Of shorter ones each
// is near many others.
const minSpelt = 4

// Spellable reports whether a word that is nowhere to be found may be misspelt: it
// has letters alone, enough of them, and is no everyday word.
func Spellable(norm string) bool {
	if utf8.RuneCountInString(norm) < minSpelt || IsStop(norm) || IsCommon(Stem(norm)) {
		return false
	}
	for _, r := range norm {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// Misspelt reports whether norm is one slip of the pen away from right: a letter
// more, one less, another one, or two that changed places. The first letter is
// rarely wrong, and has to be right.
func Misspelt(norm, right string) bool {
	a, b := []rune(norm), []rune(right)
	if len(a) < minSpelt || len(b) == 0 || a[0] != b[0] || norm == right || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i := 0 // the letters that agree from the front
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	k := 0 // and from behind
	for k < len(a)-i && k < len(b)-i && a[len(a)-1-k] == b[len(b)-1-k] {
		k++
	}
	a, b = a[i:len(a)-k], b[i:len(b)-k]
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// Respellings are the words that norm is one slip away from. Letters that it lacks
// are tried from a to z: normal forms have no others in languages of the Latin
// script.
func Respellings(norm string) iter.Seq[string] {
	return func(yield func(string) bool) {
		w := []rune(norm)
		buf := make([]rune, 0, len(w)+1)
		// put replaces the letters from i by others, and goes on behind them.
		put := func(i, replaced int, others ...rune) bool {
			if i+replaced > len(w) {
				return true
			}
			buf = append(append(append(buf[:0], w[:i]...), others...), w[i+replaced:]...)
			return yield(string(buf))
		}
		for i := 1; i <= len(w); i++ {
			if !put(i, 1) || i+1 < len(w) && !put(i, 2, w[i+1], w[i]) {
				return
			}
			for r := 'a'; r <= 'z'; r++ {
				if !put(i, 0, r) || !put(i, 1, r) {
					return
				}
			}
		}
	}
}
