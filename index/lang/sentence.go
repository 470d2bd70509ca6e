package lang

import (
	"unicode"
	"unicode/utf8"
)

// Sentences returns the sentences of s in order, without the white space
// between them.
func Sentences(s string) []Span {
	out := make([]Span, 0, len(s)/100+1)
	from := 0
	add := func(to int) {
		for from < to && ascii[s[from]] == space {
			from++
		}
		for to > from && ascii[s[to-1]] == space {
			to--
		}
		if to > from {
			out = append(out, Span{Start: from, End: to, Text: s[from:to]})
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '.', '!', '?':
			if !sentenceEnd(s, i) {
				continue
			}
			end := i + 1
			for end < len(s) && (s[end] == '"' || s[end] == ')' || s[end] == '\'' || s[end] == ']' || s[end] == '.' || s[end] == '!' || s[end] == '?') {
				end++
			}
			add(end)
			from, i = end, end-1
		case '\n':
			if i+1 < len(s) && s[i+1] == '\n' {
				add(i)
				from = i
			}
		}
	}
	add(len(s))
	return out
}

// sentenceEnd reports whether the mark at s[i] ends a sentence. It looks at a
// bounded stretch around i.
func sentenceEnd(s string, i int) bool {
	// After it: closing marks, then white space, then something that may begin.
	j := i + 1
	for n := 0; j < len(s) && n < 4 && (s[j] == '"' || s[j] == ')' || s[j] == '\'' || s[j] == ']'); n++ {
		j++
	}
	if j >= len(s) {
		return true
	}
	if ascii[s[j]] != space {
		return s[j] == '[' && s[i] == '.' // a reference mark
	}
	for n := 0; j < len(s) && n < 8 && ascii[s[j]] == space; n++ {
		j++
	}
	if j < len(s) && s[i] == '.' {
		r, _ := utf8.DecodeRuneInString(s[j:])
		if unicode.IsLower(r) || r == ',' || r == ';' || r == ')' {
			return false
		}
	}
	if s[i] != '.' {
		return true
	}
	// Before it: the word the dot may belong to.
	k := i
	for k > 0 && i-k < 6 && (letterAt(s, k-1) && s[k-1] < 0x80 || s[k-1] == '.') {
		k--
	}
	w := s[k:i]
	if k > 0 && (ascii[s[k-1]] == letter || s[k-1] >= 0x80) || w == "" {
		return true // a long word, or none
	}
	if len(w) == 1 {
		if w[0] >= 'a' && w[0] <= 'z' {
			return j >= len(s) || ascii[s[j]] != digit // c. 1900
		}
		return w == "I" && startsSentence(s[j:])
	}
	if len(w) == 3 && w[1] == '.' || len(w) == 5 && w[1] == '.' && w[3] == '.' { // U.S., U.S.A.
		return w[0] >= 'A' && w[0] <= 'Z' && startsSentence(s[j:])
	}
	return !abbreviation(w)
}

// startsSentence reports whether s begins with a capitalised structure word.
func startsSentence(s string) bool {
	end := wordEnd(s, 0)
	if end == 0 || end > 12 || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	return IsStop(Norm(s[:end]))
}

func abbreviation(w string) bool {
	switch w {
	case "Mr", "Mrs", "Ms", "Dr", "St", "Jr", "Sr", "vs", "v", "c", "ca", "cf", "No", "no", "Nos",
		"Gen", "Col", "Lt", "Sgt", "Capt", "Cmdr", "Maj", "Adm", "Prof", "Rev", "Hon", "Sen", "Rep", "Gov", "Pres",
		"Mt", "Ft", "Inc", "Ltd", "Co", "Corp", "Bros", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug",
		"Sep", "Sept", "Oct", "Nov", "Dec", "e.g", "i.e", "approx", "est", "Fr", "Vol", "vol", "pp", "ed",
		"al", "lit", "fl", "r", "b", "d", "Messrs", "Ave", "Blvd", "Bl", "op", "Op", "Ph.D", "Mme", "Mlle":
		return true
	}
	return false
}
