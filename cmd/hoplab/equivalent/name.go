package equivalent

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hopstream/index/lang"
)

// sameName compares answers as names.
func (j *judgement) sameName(p, g answerText) bool {
	a, b := nameWords(p.toks), nameWords(g.toks)
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	switch {
	case sameTokens(a, b), acronymOf(p.toks, b), acronymOf(g.toks, a), j.sameState(p, g):
		return true
	case len(p.values) > 0 || len(g.values) > 0:
		return false
	}
	if x, y := j.placeHead(p), j.placeHead(g); len(x) > 0 && len(y) > 0 && (len(x) < len(a) || len(y) < len(b)) && sameTokens(x, y) {
		// "Warsaw, Poland" and "Warsaw"; not "Paris, Texas" and "Paris, France"
		return len(x) == len(a) || len(y) == len(b)
	}
	return j.q.Type == lang.PersonType && samePerson(a, b)
}

// nameWords returns the words of a name without articles, titles, legal forms,
// what kind of thing it names ("the film Dune"), and what stands in brackets.
//
//revive:disable-next-line:cyclomatic one case per kind of word that is no part of a name
func nameWords(toks []lang.Token) []lang.Token {
	out := make([]lang.Token, 0, len(toks))
	open := false
	for i := range toks {
		t := toks[i]
		open = (open || t.Sep.Any(lang.Open) && len(out) > 0) && !(t.Sep.Any(lang.Close) && !t.Sep.Any(lang.Open))
		switch {
		case open, article(t.Norm), len(out) == 0 && i > 0 && t.Norm == "of" && kindOf(toks[i-1].Norm):
		case len(out) == 0 && i+1 < len(toks) && (honour(t.Norm) && toks[i+1].Cap || !t.Cap && kindOf(t.Norm) && (toks[i+1].Cap || toks[i+1].Norm == "of")):
		case len(out) > 0 && legalForm(t.Norm):
		default:
			out = append(out, t)
		}
	}
	return out
}

func honour(norm string) bool {
	switch strings.Trim(norm, ".") {
	case "mr", "mrs", "ms", "miss", "dr", "sir", "dame", "lord", "lady", "saint", "st", "president", "prime", "minister", "king", "queen", "pope",
		"emperor", "empress", "prince", "princess", "general", "captain", "colonel", "professor", "senator", "governor", "director", "actor", "actress",
		"singer", "author":
		return true
	}
	return false
}

func kindOf(norm string) bool {
	switch norm {
	case "film", "movie", "novel", "book", "song", "album", "band", "city", "town", "village", "country", "river", "state", "company", "team", "series":
		return true
	}
	return false
}

func legalForm(norm string) bool {
	switch strings.Trim(norm, ".") {
	case "inc", "ltd", "llc", "corp", "corporation", "co", "plc", "gmbh":
		return true
	}
	return false
}

func sameTokens(a, b []lang.Token) bool {
	return slices.EqualFunc(a, b, func(x, y lang.Token) bool { return sameWord(&x, &y) })
}

// acronymOf reports whether toks is a word in capitals made of the first
// letters of words, with or without the small ones.
func acronymOf(toks, words []lang.Token) bool {
	if len(toks) != 1 || len(words) < 2 {
		return false
	}
	short := strings.ReplaceAll(toks[0].Text, ".", "")
	if len(short) < 2 || len(short) > 10 || strings.ToUpper(short) != short || strings.ContainsAny(short, "0123456789") {
		return false
	}
	short = lang.Norm(short)
	var all, main strings.Builder
	for i := range words {
		r, _ := utf8.DecodeRuneInString(words[i].Norm)
		all.WriteRune(r)
		if !words[i].Stop {
			main.WriteRune(r)
		}
	}
	return short == all.String() || short == main.String()
}

// sameState reports whether both answers are one country, and its people where
// the question asks for a nationality.
func (j *judgement) sameState(p, g answerText) bool {
	x, y := j.state(p.toks), j.state(g.toks)
	return x != "" && x == y
}

func (j *judgement) state(toks []lang.Token) string {
	var words []string
	for i := range toks {
		if t := &toks[i]; !article(t.Norm) {
			words = append(words, t.Norm)
		}
		switch toks[i].Norm {
		case "east", "west", "empire", "former":
			return "" // another country than that of the name behind it
		}
	}
	name := strings.Join(words, " ")
	if lang.ClassOf(name)&lang.Demonym != 0 && j.q.List&(lang.Country|lang.Demonym) == 0 {
		return ""
	}
	return lang.CountryOf(name)
}

// placeHead returns what stands before the first comma of a place's name.
func (j *judgement) placeHead(a answerText) []lang.Token {
	if j.q.Type != lang.PlaceType {
		return nil
	}
	end := len(a.toks)
	for i := 1; i < end; i++ {
		if a.toks[i].Sep.Any(lang.Comma) {
			end = i
		}
	}
	return nameWords(a.toks[:end])
}

// samePerson compares the names of persons: the last names are equal, and the
// given names of one are those of the other, or initials of them, or missing.
func samePerson(a, b []lang.Token) bool {
	a, oldA := lineage(a)
	b, oldB := lineage(b)
	if oldA != oldB || len(a) == 0 || len(b) == 0 || !capitals(a) || !capitals(b) {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if a[len(a)-1].Norm != b[len(b)-1].Norm {
		return false
	}
	given, full := a[:len(a)-1], b[:len(b)-1]
	if len(given) > 0 && !sameGiven(&given[0], &full[0]) {
		return false
	}
	for k := 0; len(given) > 0; given, k = given[1:], k+1 {
		for k < len(full) && !sameGiven(&given[0], &full[k]) {
			k++
		}
		if k == len(full) {
			return false
		}
	}
	return true
}

// sameGiven compares given names; one may be the initial of the other.
func sameGiven(a, b *lang.Token) bool {
	x, y := strings.Trim(a.Norm, "."), strings.Trim(b.Norm, ".")
	if len(x) > len(y) {
		x, y = y, x
	}
	return x == y || len(x) == 1 && strings.HasPrefix(y, x)
}

// lineage cuts off what tells namesakes apart: "Jr.", "III".
func lineage(name []lang.Token) ([]lang.Token, string) {
	if len(name) < 2 {
		return name, ""
	}
	last := &name[len(name)-1]
	norm := strings.Trim(last.Norm, ".")
	switch {
	case norm == "junior" || norm == "senior":
		return name[:len(name)-1], norm[:1] + "r"
	case norm == "jr" || norm == "sr" || last.Text == strings.ToUpper(last.Text) && strings.Trim(norm, "ivx") == "":
		return name[:len(name)-1], norm
	}
	return name, ""
}

func capitals(name []lang.Token) bool {
	for i := range name {
		if t := &name[i]; !t.Cap && !t.Stop || conjunction(t.Norm) { // "Ada and Alan Turing" are two
			return false
		}
	}
	return name[len(name)-1].Cap
}
