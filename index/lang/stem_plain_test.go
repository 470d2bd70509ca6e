package lang

// oldStemBytes stems w. When same is true the stem is w's prefix of that length;
// else it was built in tmp.
func oldStemBytes(tmp, w []byte) (stem []byte, same bool) {
	if len(w) <= 2 || len(w) > maxStem {
		return w, true
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w, true
		}
	}
	if base := oldIrregular(string(w)); base != "" {
		tmp = append(tmp, base...)
	} else {
		tmp = append(tmp, w...)
	}
	b := oldPorter(tmp)
	if len(b) <= len(w) && string(b) == string(w[:len(b)]) {
		return w[:len(b)], true
	}
	return b, false
}

type oldWord []byte

func (w oldWord) consonant(i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !w.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences of w[:n].
func (w oldWord) measure(n int) (m int) {
	vowel := false
	for i := range n {
		var c bool
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u':
		case 'y':
			c = i == 0 || vowel
		default:
			c = true
		}
		if c && vowel {
			m++
		}
		vowel = !c
	}
	return m
}

func (w oldWord) vowel(n int) bool {
	for i := range n {
		if !w.consonant(i) {
			return true
		}
	}
	return false
}

func (w oldWord) double() bool {
	n := len(w)
	return n > 1 && w[n-1] == w[n-2] && w.consonant(n-1)
}

// cvc reports whether w[:n] ends consonant, vowel, consonant, the last not w, x or y.
func (w oldWord) cvc(n int) bool {
	if n < 3 || !w.consonant(n-1) || w.consonant(n-2) || !w.consonant(n-3) {
		return false
	}
	c := w[n-1]
	return c != 'w' && c != 'x' && c != 'y'
}

func (w oldWord) has(suffix string) bool {
	n := len(w) - len(suffix)
	return n >= 0 && string(w[n:]) == suffix
}

// swap replaces the suffix from by to where the rest measures anything.
func (w oldWord) swap(from, to string) oldWord {
	n := len(w) - len(from)
	if w.measure(n) > 0 {
		return append(w[:n], to...)
	}
	return w
}

func oldPorter(b []byte) []byte {
	w := oldWord(b)
	// 1a
	switch n := len(w); {
	case w.has("sses") || w.has("ies") && n > 4:
		w = w[:n-2]
	case w.has("ies"):
		w = w[:n-1]
	case w.has("ss") || w.has("us"):
	case w.has("s") && n > 3:
		w = w[:n-1]
	}
	// 1b
	cut := false
	switch n := len(w); {
	case w.has("eed"):
		if w.measure(n-3) > 0 {
			w = w[:n-1]
		}
	case w.has("ed") && w.vowel(n-2):
		w, cut = w[:n-2], true
	case w.has("ing") && w.vowel(n-3):
		w, cut = w[:n-3], true
	}
	if cut {
		switch n := len(w); {
		case w.has("at") || w.has("bl") || w.has("iz"):
			w = append(w, 'e')
		case w.double() && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z':
			w = w[:n-1]
		case w.measure(n) == 1 && w.cvc(n):
			w = append(w, 'e')
		}
	}
	// 1c
	if n := len(w); n > 2 && w[n-1] == 'y' && w.consonant(n-2) {
		w[n-1] = 'i'
	}
	if len(w) >= 5 {
		w = oldDerived(w)
	}
	// 5
	if n := len(w); n > 1 && w[n-1] == 'e' {
		if m := w.measure(n - 1); m > 1 || m == 1 && !w.cvc(n-1) {
			w = w[:n-1]
		}
	}
	if n := len(w); w.has("ll") && w.measure(n) > 1 {
		w = w[:n-1]
	}
	return w
}

// oldDerived takes off derivational suffixes: Porter's steps 2, 3 and 4. They are
// grouped by their last letter, so that most words meet few of them.
func oldDerived(w oldWord) oldWord {
	for _, r := range oldStep2[w[len(w)-1]] {
		if w.has(r[0]) {
			w = w.swap(r[0], r[1])
			break
		}
	}
	for _, r := range oldStep3[w[len(w)-1]] {
		if w.has(r[0]) {
			w = w.swap(r[0], r[1])
			break
		}
	}
	for _, r := range oldStep4[w[len(w)-1]] {
		if !w.has(r[0]) {
			continue
		}
		n := len(w) - len(r[0])
		if w.measure(n) > 1 && (r[0] != "ion" || w[n-1] == 's' || w[n-1] == 't') {
			w = w[:n]
		}
		break
	}
	return w
}

var oldStep2 = oldByLast([][2]string{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}, {"logi", "log"},
})

var oldStep3 = oldByLast([][2]string{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
})

// oldStep4 has "or" beyond Porter's: a director directs.
var oldStep4 = oldByLast([][2]string{
	{"al"}, {"ance"}, {"ence"}, {"er"}, {"or"}, {"ic"}, {"able"}, {"ible"}, {"ant"}, {"ement"}, {"ment"}, {"ent"},
	{"ion"}, {"ou"}, {"ism"}, {"ate"}, {"iti"}, {"ous"}, {"ive"}, {"ize"},
})

func oldByLast(rules [][2]string) (t [256][][2]string) {
	for _, r := range rules {
		c := r[0][len(r[0])-1]
		t[c] = append(t[c], r)
	}
	return t
}

// oldIrregular returns the base of an oldIrregular form, or "".
func oldIrregular(w string) string {
	switch w {
	case "wrote", "written", "writer", "writes", "writing":
		return "write"
	case "won", "winner", "winning":
		return "win"
	case "died", "death", "dead", "dies", "dying", "deceased":
		return "die"
	case "born", "birth", "birthplace", "birthday", "birthdate":
		return "born"
	case "sang", "sung", "singer", "sings":
		return "sing"
	case "led", "leader", "leading":
		return "lead"
	case "founder", "founders", "founded", "founding":
		return "foundat" // as Porter's of foundation
	case "actor", "actress", "acted", "acting", "actors", "actresses":
		return "act"
	case "began", "begun":
		return "begin"
	case "made", "maker":
		return "make"
	case "built", "builder":
		return "build"
	case "held":
		return "hold"
	case "sold", "sale", "sales":
		return "sell"
	case "bought":
		return "buy"
	case "fought":
		return "fight"
	case "taught", "teacher":
		return "teach"
	case "lost":
		return "lose"
	case "spoke", "spoken":
		return "speak"
	case "chose", "chosen", "choice":
		return "choose"
	case "flew", "flown":
		return "fly"
	case "grew", "grown", "growth":
		return "grow"
	case "knew", "known":
		return "know"
	case "drew", "drawn":
		return "draw"
	case "took", "taken":
		return "take"
	case "gave", "given":
		return "give"
	case "came":
		return "come"
	case "went", "gone":
		return "go"
	case "ran", "runner":
		return "run"
	case "became":
		return "become"
	case "left":
		return "leave"
	case "met":
		return "meet"
	case "paid", "payment":
		return "pay"
	case "said":
		return "say"
	case "told":
		return "tell"
	case "sent":
		return "send"
	case "spent":
		return "spend"
	case "found":
		return "find"
	case "thought":
		return "think"
	case "brought":
		return "bring"
	case "played", "player", "players":
		return "play"
	case "married", "marriage", "marries":
		return "marry"
	case "children":
		return "child"
	case "men":
		return "man"
	case "women":
		return "woman"
	case "feet":
		return "foot"
	case "cities":
		return "city"
	case "countries":
		return "country"
	case "located", "location":
		return "locate"
	case "released", "releases", "releasing":
		return "release"
	case "owner":
		return "own"
	}
	return ""
}
