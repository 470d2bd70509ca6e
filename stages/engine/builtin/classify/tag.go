package classify

import (
	"strings"

	"hopstream/index/lang"
)

// A question is read as a row of tags. A closed-class word (question words,
// articles, pronouns, prepositions, auxiliaries, quantifiers, …) is its own
// tag; every other word is replaced by its kind in angle brackets, so that
// nothing is learned of what a question is about.
const (
	tagStart   = "<start>"
	tagEnd     = "<end>"
	tagBreak   = "<.>" // the end of a sentence within the question
	tagComma   = "<,>"
	tagName    = "<name>"   // a run of words that are not everyday ones
	tagNoun    = "<noun>"   // an everyday word
	tagNouns   = "<nouns>"  // in -s
	tagYear    = "<year>"   // 1000 to 2999
	tagNumber  = "<number>" // any other
	tagRole    = "<role>"   // director, father: someone by relation
	tagPart    = "<relation>"
	tagPlace   = "<place>" // city, country: a kind of place
	tagWork    = "<work>"  // film, song
	tagPerson  = "<person>"
	tagGroup   = "<group>" // band, club
	tagNation  = "<nation>"
	tagMost    = "<most>" // a superlative
	tagMore    = "<more>" // a comparative
	tagOrdinal = "<ordinal>"
	tagPast    = "<past>" // verbs
	tagIng     = "<ing>"
	tagVerb    = "<verb>"
	tagVerbs   = "<verbs>"
)

// ownTag are the words beyond lang.IsStop that are their own tags: closed
// classes, and verbs and nouns of so little content that they are structure.
var ownTag = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(`someone somebody something somewhere anyone anybody anything anywhere everyone everybody everything
		nobody nothing one ones people person thing things kind type sort name named called known
		likely often usually typically sometimes probably always never generally normally possibly
		if unless because whether although despite besides instead like unlike along alongside following including
		first second third last next earlier later before after ago now today currently former original originally
		together respectively common different similar shared same
		part located based born died founded used made won
		what's who's lot few several every less least enough even still
		also best worst oldest youngest
		take place year date time
		want need get go find keep put feel happen cause`) {
		m[w] = true
	}
	return m
}()

// tagOf returns the tag of a token.
func tagOf(w *lang.Token) string {
	n := w.Norm
	if w.Num {
		switch {
		case len(n) == 4 && (n[0] == '1' || n[0] == '2') && n[3] >= '0' && n[3] <= '9':
			return tagYear
		case len(n) > 2 && n[len(n)-1] > '9' && len(n) < 6:
			return tagOrdinal
		}
		return tagNumber
	}
	switch n {
	case "whats":
		return "what"
	case "whos":
		return "who"
	case "u.s", "us":
		return tagNation
	case "s":
		return "'s"
	case "an":
		return "a"
	case "i", "me", "my", "mine", "we", "our", "ours":
		return tagName // someone in particular
	}
	if k := len(n) - 3; k > 1 && n[k:] == "n't" {
		return n[:k]
	}
	if closedClass(n) {
		return n
	}
	if c := lang.ClassOf(n); c != 0 {
		switch {
		case c&lang.WorkNoun != 0:
			return tagWork
		case c&(lang.Country|lang.Demonym|lang.State|lang.City|lang.Continent) != 0:
			return tagNation
		}
	}
	switch {
	case weighing(n):
		return tagMore
	case lang.IsRole(n):
		return tagRole
	case lang.IsPlace(n):
		return tagPlace
	case lang.IsRelation(n):
		return tagPart
	}
	if c := lang.ClassOf(n); c != 0 {
		switch {
		case c&(lang.Occupation|lang.PersonTitle) != 0:
			return tagPerson
		case c&lang.OrgSuffix != 0:
			return tagGroup
		case c&(lang.GivenName|lang.Weekday) != 0:
			return tagName
		}
	}
	if _, form := lang.Verb(n); form != 0 {
		switch {
		case form&(lang.VerbPast|lang.VerbParticiple) != 0:
			return tagPast
		case form&lang.VerbIng != 0:
			return tagIng
		case form&lang.VerbThird != 0:
			return tagVerbs
		}
		return tagVerb
	}
	if k := len(n); k > 4 {
		switch {
		case n[k-3:] == "est" && lang.IsCommon(w.Stem):
			return tagMost
		case n[k-3:] == "ing":
			return tagIng
		}
	}
	if !lang.IsCommon(w.Stem) {
		return tagName
	}
	if n[len(n)-1] == 's' && len(n) > 3 {
		return tagNouns
	}
	return tagNoun
}

// weighing reports whether a word weighs things by size, age, or worth.
func weighing(norm string) bool {
	switch norm {
	case "higher", "lower", "larger", "bigger", "smaller", "greater", "taller", "shorter", "longer", "wider", "deeper",
		"heavier", "lighter", "faster", "slower", "closer", "nearer", "farther", "further", "older", "younger", "newer",
		"richer", "stronger", "better", "worse", "warmer", "colder", "hotter", "fewer":
		return true
	}
	return false
}

// closedClass reports whether a word may be its own tag.
func closedClass(norm string) bool { return lang.IsStop(norm) || ownTag[norm] }

// TagOf returns the tag of a word by its normal form.
func TagOf(norm string) string {
	return tagOf(&lang.Token{Norm: norm, Stem: lang.Stem(norm), Num: norm != "" && norm[0] >= '0' && norm[0] <= '9'})
}
