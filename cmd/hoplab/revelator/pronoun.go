package revelator

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/lang"
)

// pronoun has the three forms that a name may be replaced with.
type pronoun struct{ subject, object, possessive string }

var (
	he  = pronoun{"he", "him", "his"}
	she = pronoun{"she", "her", "her"}
	it  = pronoun{"it", "it", "its"}
)

// pronounOf guesses the pronoun for what parts are about by counting the pronouns
// in its documents. It returns none where these use several pronouns or fewer
// than two. For "he" and "she" the last name must also stand alone somewhere, as
// a person's does; "it" is not used for names that end like a plural.
func pronounOf(parts []simple) pronoun {
	names := namesOf(parts[0].entity)
	if len(names) == 0 {
		return pronoun{}
	}
	last := names[len(names)-1]
	var n pronouns
	person := false
	for _, p := range parts {
		for _, text := range p.about {
			toks := lang.Tokens(text)
			n.count(toks)
			person = person || len(names) > 1 && alone(toks, last)
		}
	}
	switch {
	case person && n.male >= 2 && n.female == 0 && n.male > 2*n.thing:
		return he
	case person && n.female >= 2 && n.male == 0 && n.female > 2*n.thing:
		return she
	case !likePlural(last) && n.thing >= 2 && n.male == 0 && n.female == 0:
		return it
	}
	return pronoun{}
}

// pronouns are how many there are of each kind.
type pronouns struct{ male, female, thing int }

func (n *pronouns) count(toks []lang.Token) {
	for _, t := range toks {
		switch t.Norm {
		case "he", "his", "him", "himself":
			n.male++
		case "she", "her", "hers", "herself":
			n.female++
		case "it", "its", "itself":
			n.thing++
		}
	}
}

// alone reports whether a word stands somewhere that is not part of a longer
// name.
func alone(toks []lang.Token, word string) bool {
	for i, t := range toks {
		if t.Text == word && (i == 0 || !toks[i-1].Cap || t.First) && (i+1 == len(toks) || !partOfName(toks[i+1])) {
			return true
		}
	}
	return false
}

// likePlural reports whether a name ends like a plural.
func likePlural(name string) bool {
	return strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !strings.HasSuffix(name, "us") && !strings.HasSuffix(name, "is")
}

// nameOf is a title as it would be written in a sentence: without the addition
// that tells it from others of the same name.
func nameOf(title string) string {
	name, _, _ := strings.Cut(title, " (")
	return strings.TrimSpace(name)
}

// namesOf are the names that something of this title goes by: the title, and
// the last word of one made of names, as a person is called.
func namesOf(title string) []string {
	name := nameOf(title)
	if name == "" {
		return nil
	}
	words := strings.Fields(name)
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) {
			return []string{name}
		}
	}
	if len(words) < 2 {
		return []string{name}
	}
	return []string{name, words[len(words)-1]}
}

// distracts reports whether a pronoun after body could mean something other than
// name: body holds another name, or a possessive of name.
func distracts(body, name string) bool {
	if strings.Contains(body, name+"'") || strings.Contains(body, name+"’") {
		return true
	}
	for _, t := range lang.Tokens(strings.Replace(body, name, "", 1)) {
		if t.Cap && t.Start > 0 {
			return true
		}
	}
	return false
}

// person reports whether the pronoun is one of a person.
func (p pronoun) person() bool { return p == he || p == she }

// mention returns where name stands in text in so many letters, as words of
// its own and not inside a longer name; -1 where it does not, or several times.
func mention(text, name string) int {
	if name == "" || strings.Count(text, name) != 1 {
		return -1
	}
	at := strings.Index(text, name)
	toks := lang.Tokens(text)
	for i, t := range toks {
		if t.Start != at {
			continue
		}
		for j := i; j < len(toks); j++ {
			if toks[j].End != at+len(name) {
				continue
			}
			if i > 0 && !toks[i].Sep.Any(lang.Comma) && partOfName(toks[i-1]) && !toks[i-1].First {
				return -1
			}
			if j+1 < len(toks) && !toks[j+1].Sep.Any(lang.Comma) && partOfName(toks[j+1]) {
				return -1
			}
			return at
		}
	}
	return -1
}

func partOfName(t lang.Token) bool { return t.Cap || t.Num }

// put replaces name in a question by the form of the pronoun that its place
// needs. ok is false where the place does not tell which form that is, or the
// question is not about the name.
func (p pronoun) put(body, name string) (with string, ok bool) {
	at := mention(body, name)
	if p.subject == "" || at <= 0 {
		return body, false
	}
	before, after := body[:at], body[at+len(name):]
	before = strings.TrimSuffix(strings.TrimSuffix(before, "the "), "The ")
	words := lang.Tokens(before)
	if len(words) == 0 {
		return body, false
	}
	if owned, found := strings.CutPrefix(after, "'s "); found {
		return before + p.possessive + " " + owned, true
	}
	form := p.between(words[len(words)-1].Norm, after)
	if form == "" {
		return body, false
	}
	return before + form + after, true
}

// between is the form that is needed behind the word last and before the text
// after; it is empty where they do not tell.
func (p pronoun) between(last, after string) string {
	rest := lang.Tokens(after)
	if strings.HasPrefix(after, "'") || strings.HasPrefix(after, "-") ||
		len(rest) > 0 && (rest[0].Norm == "and" || rest[0].Norm == "or" || rest[0].Norm == "of") {
		return ""
	}
	switch {
	case last == "of" && !p.person(): // "of it" is nothing that people say
	case lang.IsPreposition(last) && strings.TrimSpace(after) == "":
		return p.object
	case lang.IsAuxiliary(last) && len(rest) > 0 && !rest[0].Sep.Any(lang.Comma):
		// "did X win", "was X born": the subject, unless a name goes on behind it.
		_, form := lang.Verb(rest[0].Norm)
		if form == 0 && !lang.IsPreposition(rest[0].Norm) {
			return "" // perhaps "is X Street"
		}
		return p.subject
	}
	return ""
}
