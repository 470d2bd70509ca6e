package builtin

import (
	"strings"

	"hopstream/stages/engine/builtin/lang"
)

// feature is one observation about a question. Each is about what the
// question says; none looks at capitals, at a mark at the end, or at length.
type feature int

// The features.
const (
	qBias            feature = iota
	qTwoAsks                 // asks twice: two clauses that open like questions
	qThreeAsks               // three times or more
	qAndAsk                  // "and when …", "and who …"
	qTwoSentences            // has more than one sentence
	qBackReference           // a later clause says he, she, it, they, his …
	qThirdPerson             // he, she, it, they, his … anywhere
	qEveryone                // you, someone, people, a person: nobody in particular
	qModal                   // would, could, might, should, can
	qHabit                   // likely, often, usually, typically, sometimes
	qIndefinite              // one "a" or "an"
	qIndefinites             // several
	qNoRare                  // nothing but everyday words
	qOneRare                 // one word that is not everyday
	qThreeRare               // three or more
	qNumber                  // a number or year
	qAsksWho                 // by its first question word
	qAsksWhen                //
	qAsksWhere               //
	qAsksWhat                //
	qAsksWhich               //
	qAsksCount               // how many, how much
	qAsksHow                 //
	qAsksWhy                 //
	qAsksNothing             // no question word
	qYesNo                   // opens with an auxiliary
	qEndsWhat                // the question word comes last
	qWhInside                // the question word stands within, no clause of its own
	qRelation                // father, capital, director …
	qRelationOf              // … of
	qRelations2              // two of them
	qPossessive1             // one 's
	qPossessive2             // two or more
	qPossessiveKin           // 's followed by a relation
	qTwoOf                   // of … of
	qThreeOf                 //
	qRelWhere                // a noun, then where
	qRelWho                  // a noun, then who, whom or whose
	qRelThat                 // a noun, then that or which
	qPrepWhich               // in which, of which, inside the sentence
	qReduced1                // a noun, then a participle and its preposition: "directed by"
	qBoth                    // both, same, common, share
	qOrChoice                // or
	qCommaOr                 // ", A or B"
	qOrWeighed               // or, with a comparative, superlative or order
	qWeighed                 // a comparative, without or
	qMost                    // a superlative
	qWorkOf                  // film, song … behind a relation
	qTheThrice               // three definite phrases
	qPlaceWhere              // city, state, country …, then where, in which, that
	qTwoVerbs                // two verbs
	qThreeVerbs              // three or more
	qEveryday                // find, feel, keep, need, happen, cause …
	qPastAsk                 // did, was, were
	qPresentAsk              // do, does, is, are
	qNamed                   // called, named, known as
	qDefiniteGeneric         // the study, the patients, the author: a text at hand
	qSharedEvent             // born, died: what two things are compared by
	qCoordinated             // "the A and B of", two nouns of one thing
	classFeatures            // how many there are
)

// featureNames are for people who read or retrain the weights.
var featureNames = [classFeatures]string{"bias", "two asks", "three asks", "and ask", "two sentences", "back reference", "third person",
	"everyone", "modal", "habit", "indefinite", "indefinites", "no rare", "one rare", "three rare", "number", "who", "when", "where",
	"what", "which", "count", "how", "why", "nothing", "yes-no", "ends what", "wh inside", "relation", "relation of", "relations",
	"possessive", "possessives", "possessive kin", "two of", "three of", "rel where", "rel who", "rel that", "prep which", "reduced",
	"both", "or", "comma or", "or weighed", "weighed", "most", "work of", "the thrice", "place where", "two verbs", "three verbs",
	"everyday", "past", "present", "named", "definite generic", "shared event", "coordinated"}

// maxClassify bounds the tokens that are looked at.
const maxClassify = 400

// observe returns the features of a question whose tokens are toks.
func observe(toks []lang.Token) (f [classFeatures]bool) {
	f[qBias] = true
	if len(toks) > maxClassify {
		toks = toks[:maxClassify]
	}
	var asks, rare, a, of, poss, rels, verbs, the, sentences int
	wh := -1
	or, comparative, ordered := -1, false, false
	sawVerb := false
	for i := range toks {
		t := &toks[i]
		n := t.Norm
		prev, next := "", ""
		if i > 0 {
			prev = toks[i-1].Norm
		}
		if i+1 < len(toks) {
			next = toks[i+1].Norm
		}
		opens := i == 0 || t.Sep.Any(lang.End)
		if opens && i > 0 {
			sentences++
		}
		isWh := questionWord(n)
		content := !t.Stop && !t.Num
		if content && !lang.IsCommon(t.Stem) {
			rare++
		}
		if t.Num {
			f[qNumber] = true
		}
		nounBefore := i > 0 && !toks[i-1].Stop && !t.Sep.Any(lang.End)
		switch {
		case isWh && (opens || prev == "and" || prev == "or" || prev == "but" || t.Sep.Any(lang.Comma) && next != "" && !nounRelative(n, toks, i)):
			asks++
			if i > 0 && prev == "and" {
				f[qAndAsk] = true
			}
			if wh < 0 {
				wh = i
			}
		case isWh && lang.IsPreposition(prev) && (i == 1 || toks[i-1].Sep.Any(lang.End|lang.Comma) || i > 1 && toks[i-2].Norm == "and"):
			asks++
			if wh < 0 {
				wh = i
			}
		case isWh && lang.IsPreposition(prev) && (n == "which" || n == "whom" || n == "whose") && nounThere(toks, i-2):
			f[qPrepWhich] = true
			f[qPlaceWhere] = f[qPlaceWhere] || lang.IsPlace(toks[i-2].Norm)
		case isWh && nounBefore && n != "what" && n != "how":
			switch n {
			case "where", "when":
				f[qRelWhere] = f[qRelWhere] || n == "where"
				f[qPlaceWhere] = f[qPlaceWhere] || lang.IsPlace(prev)
			case "who", "whom", "whose":
				f[qRelWho] = true
			default:
				f[qRelThat] = true
			}
		case isWh:
			f[qWhInside] = true
			if wh < 0 {
				wh = i
			}
		case n == "that" && nounBefore && next != "":
			f[qRelThat] = true
			f[qPlaceWhere] = f[qPlaceWhere] || lang.IsPlace(prev)
		case opens && lang.IsAuxiliary(n):
			asks++
			f[qYesNo] = f[qYesNo] || i == 0
		case lang.IsAuxiliary(n) && prev == "and" && pronoun(next):
			asks++
			f[qAndAsk] = true
		}
		switch n {
		case "he", "she", "it", "they", "his", "her", "its", "their", "him", "them":
			f[qThirdPerson] = true
			f[qBackReference] = f[qBackReference] || asks > 1
		case "you", "your", "someone", "somebody", "people", "person", "anyone", "everyone", "we", "one's", "somewhere", "something":
			f[qEveryone] = f[qEveryone] || n != "person" && n != "people" || prev != "the"
		case "would", "could", "might", "should", "can", "may":
			f[qModal] = true
		case "likely", "often", "usually", "typically", "sometimes", "probably", "always", "generally", "normally":
			f[qHabit] = true
		case "a", "an":
			a++
		case "the":
			the++
		case "of":
			of++
			f[qRelationOf] = f[qRelationOf] || lang.IsRelation(prev)
		case "'s":
			poss++
			f[qPossessiveKin] = f[qPossessiveKin] || lang.IsRelation(next)
		case "both", "same", "common", "share", "shared":
			f[qBoth] = true
		case "or":
			or = i
		case "first", "earlier", "later", "last", "before", "recently", "earliest", "latest":
			ordered = true
		case "more", "most", "fewer", "less", "older", "younger", "longer", "larger", "bigger", "taller", "higher", "smaller", "shorter", "oldest", "youngest", "longest":
			comparative = true
			f[qMost] = f[qMost] || n == "most"
		case "did", "was", "were", "had":
			f[qPastAsk] = true
		case "do", "does", "is", "are", "has", "have":
			f[qPresentAsk] = true
		case "called", "named", "known", "name", "nicknamed":
			f[qNamed] = true
		case "find", "found", "feel", "keep", "need", "happen", "cause", "want", "put", "go", "get", "buy", "eat", "try", "doing", "going":
			f[qEveryday] = f[qEveryday] || n != "found"
		case "study", "patients", "author", "article", "passage", "text", "results", "participants", "treatment", "speaker", "writer":
			f[qDefiniteGeneric] = f[qDefiniteGeneric] || prev == "the" || n == "patients" || n == "participants"
		case "born", "died", "die", "birth", "death":
			f[qSharedEvent] = true
		case "film", "song", "movie", "album", "book", "novel", "band":
			if i >= 3 && (prev == "of" && lang.IsRelation(toks[i-2].Norm) || prev == "the" && toks[i-2].Norm == "of" && lang.IsRelation(toks[i-3].Norm)) {
				f[qWorkOf] = true
			}
		}
		if content {
			if lang.IsRelation(n) {
				rels++
			}
			if base, form := lang.Verb(n); form != 0 {
				if form&(lang.VerbPast|lang.VerbThird) != 0 || form&lang.VerbBase != 0 && (lang.IsAuxiliary(prev) || prev == "to" || pronoun(prev)) || form&lang.VerbIng != 0 && lang.IsBe(prev) {
					verbs++
					sawVerb = true
				}
				if form&lang.VerbParticiple != 0 && (next == "by" || next == "in") && nounBefore && base != "" {
					f[qReduced1] = true
				}
				if form&lang.VerbIng != 0 && nounBefore && sawVerb {
					f[qReduced1] = true
				}
			} else if len(n) > 5 && strings.HasSuffix(n, "est") {
				f[qMost] = true
			}
			if prev == "and" && i > 2 && !toks[i-2].Stop && next == "of" || prev == "and" && i > 3 && toks[i-2].Stop && next == "of" {
				f[qCoordinated] = true
			}
		}
	}
	f[qTwoAsks], f[qThreeAsks] = asks >= 2, asks >= 3
	f[qTwoSentences] = sentences > 0
	f[qIndefinite], f[qIndefinites] = a == 1, a > 1
	f[qNoRare], f[qOneRare], f[qThreeRare] = rare == 0, rare == 1, rare >= 3
	f[qRelation], f[qRelations2] = rels > 0, rels > 1
	f[qPossessive1], f[qPossessive2] = poss == 1, poss > 1
	f[qTwoOf], f[qThreeOf] = of == 2, of > 2
	f[qTheThrice] = the >= 3
	f[qTwoVerbs], f[qThreeVerbs] = verbs == 2, verbs > 2
	if or > 0 {
		f[qOrChoice] = true
		for k := or; k > 1 && k > or-12; k-- {
			if toks[k].Sep.Any(lang.Comma | lang.Colon) {
				f[qCommaOr] = true
			}
		}
		f[qOrWeighed] = comparative || ordered
	} else {
		f[qWeighed] = comparative
	}
	first := ""
	if wh >= 0 {
		first = toks[wh].Norm
		f[qEndsWhat] = wh > 0 && wh >= len(toks)-2
	} else if last := len(toks) - 1; last >= 0 && questionWord(toks[last].Norm) {
		first, f[qEndsWhat] = toks[last].Norm, true
	}
	switch first {
	case "who", "whom", "whose", "whos":
		f[qAsksWho] = true
	case "when":
		f[qAsksWhen] = true
	case "where":
		f[qAsksWhere] = true
	case "what", "whats":
		f[qAsksWhat] = true
	case "which":
		f[qAsksWhich] = true
	case "why":
		f[qAsksWhy] = true
	case "how":
		if next := wh + 1; next > 0 && next < len(toks) && (toks[next].Norm == "many" || toks[next].Norm == "much") {
			f[qAsksCount] = true
		} else {
			f[qAsksHow] = true
		}
	default:
		f[qAsksNothing] = !f[qYesNo]
	}
	return f
}

func questionWord(n string) bool {
	switch n {
	case "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "whats", "whos":
		return true
	}
	return false
}

func pronoun(n string) bool {
	switch n {
	case "he", "she", "it", "they", "you", "we", "i":
		return true
	}
	return false
}

// nounThere reports whether token i is a content word.
func nounThere(toks []lang.Token, i int) bool { return i >= 0 && !toks[i].Stop }

// nounRelative reports whether the question word at token i, behind a comma,
// goes on about the noun before it instead of asking anew: no auxiliary
// follows at once, or it is who, which or whose behind a noun.
func nounRelative(n string, toks []lang.Token, i int) bool {
	if n == "what" || n == "how" || n == "why" || i < 3 {
		return false
	}
	// asked anew only if the words before were a question themselves
	for k := range min(i, 3) {
		if questionWord(toks[k].Norm) || lang.IsAuxiliary(toks[k].Norm) {
			return n == "whose" || n == "who" || n == "which" && i+1 < len(toks) && (lang.IsAuxiliary(toks[i+1].Norm))
		}
	}
	return n == "whose" || n == "where" && !lang.IsAuxiliary(toks[min(i+1, len(toks)-1)].Norm)
}
