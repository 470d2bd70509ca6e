package calculate

import (
	"strconv"
	"strings"
	"unicode"
)

// countLetters answers questions about the letters and words of a word or
// sentence that the question quotes.
func countLetters(q string) string {
	low := strings.ToLower(strings.TrimRight(q, "?!. \t\n"))
	const how = "how many "
	if !strings.HasPrefix(low, how) {
		return spellBackwards(low)
	}
	what, rest, ok := strings.Cut(low[len(how):], " in ")
	if !ok {
		return ""
	}
	subject, quoted := quotedWord(rest)
	if subject == "" {
		return ""
	}
	what = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(what), " there"), " are")
	what = strings.TrimSuffix(what, " is")
	letters := 0
	switch what {
	case "letters", "characters", "letters are there":
		for _, r := range subject {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if letters == 0 || strings.ContainsAny(subject, " ") && !quoted {
			return ""
		}
	case "vowels", "consonants":
		for _, r := range subject {
			if r < 'a' || r > 'z' {
				if unicode.IsLetter(r) {
					return ""
				}
				continue
			}
			if strings.ContainsRune("aeiou", r) == (what == "vowels") {
				letters++
			}
		}
	case "words":
		if !quoted {
			return ""
		}
		return strconv.Itoa(len(strings.Fields(subject)))
	default:
		c := countedLetter(what)
		if c == 0 {
			return ""
		}
		letters = strings.Count(subject, string(c))
	}
	return strconv.Itoa(letters)
}

// countedLetter reads the letter in "times does the letter r appear", "r's",
// "letter rs" and "rs".
func countedLetter(what string) rune {
	what = strings.TrimPrefix(what, "times does the letter ")
	what = strings.TrimPrefix(what, "times does ")
	for _, s := range []string{" appear", " occur", " come up", " show up"} {
		what = strings.TrimSuffix(what, s)
	}
	what = strings.TrimPrefix(what, "letter ")
	what = strings.TrimSuffix(strings.TrimSuffix(what, "'s"), "’s")
	what = strings.Trim(what, `"'“”‘’`)
	if len(what) == 2 && what[1] == 's' && what != "is" && what != "as" && what != "us" {
		what = what[:1]
	}
	r := []rune(what)
	if len(r) == 1 && unicode.IsLetter(r[0]) {
		return r[0]
	}
	return 0
}

// quotedWord returns the word or sentence that is spoken about: in quotes,
// behind "the word", or a single word. "The alphabet" is a thing, not a word.
func quotedWord(s string) (subject string, quoted bool) {
	s = strings.TrimSpace(s)
	for _, p := range []string{"the word ", "the name ", "the sentence ", "the phrase ", "the string ", "word "} {
		if t, ok := strings.CutPrefix(s, p); ok {
			t = strings.Trim(t, " \"'“”‘’:")
			return t, t != ""
		}
	}
	if t := strings.Trim(s, `"'“”‘’`); len(t) < len(s) {
		return t, t != ""
	}
	if strings.ContainsAny(s, " ") {
		return "", false
	}
	return s, false
}

func spellBackwards(low string) string {
	for _, p := range []string{"what is ", "spell ", "reverse ", "how do you spell "} {
		t, ok := strings.CutPrefix(low, p)
		if !ok {
			continue
		}
		u, back := strings.CutSuffix(t, " backwards")
		if !back {
			if u, back = strings.CutSuffix(t, " backward"); !back && p != "reverse " {
				return ""
			}
		}
		w, quoted := quotedWord(u)
		if w == "" || p == "reverse " && !quoted {
			return ""
		}
		r := []rune(w)
		for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
			r[i], r[j] = r[j], r[i]
		}
		return string(r)
	}
	return ""
}
