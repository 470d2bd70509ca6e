package lang

import (
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// minSpelt is how many letters a word has that may be misspelt. Of shorter ones each
// is near many others.
const minSpelt = 4

// Spellable reports whether a word that is nowhere to be found may be misspelt: it
// has letters alone, enough of them and no more than words have, and is no word that
// English texts have.
func Spellable(norm string) bool {
	if n := utf8.RuneCountInString(norm); n < minSpelt || n > maxStem || IsStop(norm) {
		return false
	}
	if stem := Stem(norm); IsCommon(stem) || IsWord(stem) {
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

// minMeant is how many letters a word has whose meaning is guessed.
const minMeant = 5

// telling are the words that say what a question asks for, by their first letter.
var telling = func() map[byte][]string {
	words := map[byte][]string{}
	add := func(w string) {
		if len(w) >= minMeant-1 && !slices.Contains(words[w[0]], w) {
			words[w[0]] = append(words[w[0]], w)
		}
	}
	for i := range knownWords.words {
		if w := knownWords.words[i].norm; tells(w) {
			add(w)
		}
	}
	for _, all := range []map[string]bool{relations, roles, places} {
		for w := range all {
			add(w)
		}
	}
	for w := range kin {
		add(w)
	}
	for w := range verbs {
		add(w)
	}
	for _, all := range words {
		slices.Sort(all)
	}
	return words
}()

// tells reports whether a word says what a question asks for: a noun that answers
// are a kind of, a verb, or how things compare.
func tells(norm string) bool {
	if _, form := Verb(norm); form != 0 {
		return true
	}
	d, _ := comparing(norm)
	return d != None || IsRelation(norm) || IsPlace(norm) || nounType(norm) != Unknown || listed(norm) != 0
}

// Meant returns the word that says what a question asks for, if norm is a slip of
// the pen away from just one of these and no word itself; else norm. It is for the
// form of a question: what texts have may be spelt as it is.
func Meant(norm string) string {
	if len(norm) < minMeant || norm[0] >= utf8.RuneSelf || tells(norm) || !Spellable(norm) {
		return norm
	}
	right := norm
	for _, w := range telling[norm[0]] {
		switch d := len(w) - len(norm); {
		case d < -1 || d > 1 || !Misspelt(norm, w):
		case right == norm:
			right = w
		case Stem(right) != Stem(w):
			return norm
		}
	}
	return right
}
