package classify

import (
	"strings"

	"hopstream/index/lang"
)

// observer counts what some features need of the whole question.
type observer struct {
	f    [classFeatures]bool
	toks []lang.Token
	// how often it asks, and of: words that are not everyday, articles,
	// possessives, relation nouns, verbs, sentences
	asks, of, rare, indefinite, definite, possessive, relations, verbs, sentences int

	wh                   int // the first question word, or -1
	or                   int // the last "or", or -1
	comparative, ordered bool
}

// observe returns the features of a question whose tokens, as read, are toks.
func observe(toks []lang.Token) [classFeatures]bool {
	o := observer{toks: toks, wh: -1, or: -1}
	for i := range toks {
		o.clause(i)
		o.function(i)
		if t := &toks[i]; !t.Stop && !t.Num {
			o.content(i)
		}
	}
	o.counts()
	o.choice()
	o.asked()
	return o.f
}

// around returns the normal forms beside token i.
func (o *observer) around(i int) (prev, next string) {
	if i > 0 {
		prev = o.toks[i-1].Norm
	}
	if i+1 < len(o.toks) {
		next = o.toks[i+1].Norm
	}
	return prev, next
}

// clause sees whether a clause starts at token i: one that asks, or one that
// goes on about the noun before it.
func (o *observer) clause(i int) {
	toks, f := o.toks, &o.f
	t := &toks[i]
	n := t.Norm
	prev, next := o.around(i)
	opens := i == 0 || t.Sep.Any(lang.End)
	if opens && i > 0 {
		o.sentences++
	}
	isWh := questionWord(n)
	nounBefore := i > 0 && !toks[i-1].Stop && !t.Sep.Any(lang.End)
	switch {
	case isWh && (opens || prev == "and" || prev == "or" || prev == "but" || t.Sep.Any(lang.Comma) && next != "" && !nounRelative(n, toks, i)):
		o.asks++
		f[qAndAsk] = f[qAndAsk] || prev == "and"
		o.asksAt(i)
	case isWh && lang.IsPreposition(prev) && (i == 1 || toks[i-1].Sep.Any(lang.End|lang.Comma) || i > 1 && toks[i-2].Norm == "and"):
		o.asks++
		o.asksAt(i)
	case isWh && lang.IsPreposition(prev) && (n == "which" || n == "whom" || n == "whose") && i > 1 && !toks[i-2].Stop:
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
		o.asksAt(i)
	case n == "that" && nounBefore && next != "":
		f[qRelThat] = true
		f[qPlaceWhere] = f[qPlaceWhere] || lang.IsPlace(prev)
	case opens && lang.IsAuxiliary(n):
		o.asks++
		f[qYesNo] = f[qYesNo] || i == 0
	case lang.IsAuxiliary(n) && prev == "and" && pronoun(next):
		o.asks++
		f[qAndAsk] = true
	}
}

func (o *observer) asksAt(i int) {
	if o.wh < 0 {
		o.wh = i
	}
}

// function sees what the word at token i says about the question's kind.
func (o *observer) function(i int) {
	toks, f := o.toks, &o.f
	n := toks[i].Norm
	prev, next := o.around(i)
	f[qNumber] = f[qNumber] || toks[i].Num
	o.comparative = o.comparative || weighing(n)
	switch n {
	case "he", "she", "it", "they", "his", "her", "its", "their", "him", "them":
		f[qThirdPerson] = true
		f[qBackReference] = f[qBackReference] || o.asks > 1
	case "you", "your", "someone", "somebody", "people", "person", "anyone", "everyone", "one's", "somewhere", "something":
		f[qEveryone] = f[qEveryone] || n != "person" && n != "people" || prev != "the"
	case "would", "could", "might", "should", "can", "may":
		f[qModal] = true
	case "likely", "often", "usually", "typically", "sometimes", "probably", "always", "generally", "normally":
		f[qHabit] = true
	case "a", "an":
		o.indefinite++
	case "the":
		o.definite++
	case "of":
		o.of++
		f[qRelationOf] = f[qRelationOf] || lang.IsRelation(prev)
	case "'s":
		o.possessive++
		f[qPossessiveKin] = f[qPossessiveKin] || lang.IsRelation(next)
	case "both", "same", "common", "share", "shared":
		f[qBoth] = true
	case "or":
		o.or = i
	case "first", "earlier", "later", "last", "before", "recently", "earliest", "latest":
		o.ordered = true
	case "more", "most", "less", "oldest", "youngest", "longest":
		o.comparative = true
		f[qMost] = f[qMost] || n == "most"
	case "did", "was", "were", "had":
		f[qPastAsk] = true
	case "do", "does", "is", "are", "has", "have":
		f[qPresentAsk] = true
	case "called", "named", "known", "name", "nicknamed":
		f[qNamed] = true
	case "find", "found", "feel", "keep", "need", "happen", "cause", "want", "put", "go", "get", "buy", "eat", "try", "doing", "going":
		f[qEveryday] = f[qEveryday] || n != "found"
	case "born", "died", "die", "birth", "death":
		f[qSharedEvent] = true
	case "film", "song", "movie", "album", "book", "novel", "band":
		if i >= 3 && (prev == "of" && lang.IsRelation(toks[i-2].Norm) || prev == "the" && toks[i-2].Norm == "of" && lang.IsRelation(toks[i-3].Norm)) {
			f[qWorkOf] = true
		}
	}
}

// content sees the content word at token i.
func (o *observer) content(i int) {
	toks, f := o.toks, &o.f
	t := &toks[i]
	n := t.Norm
	prev, next := o.around(i)
	nounBefore := i > 0 && !toks[i-1].Stop && !t.Sep.Any(lang.End)
	if !lang.IsCommon(t.Stem) {
		o.rare++
	}
	if lang.IsRelation(n) {
		o.relations++
	}
	if base, form := lang.Verb(n); form != 0 {
		if form&(lang.VerbPast|lang.VerbThird) != 0 || form&lang.VerbBase != 0 && (lang.IsAuxiliary(prev) || prev == "to" || pronoun(prev)) || form&lang.VerbIng != 0 && lang.IsBe(prev) {
			o.verbs++
		}
		if form&lang.VerbParticiple != 0 && (next == "by" || next == "in") && nounBefore && base != "" {
			f[qReduced1] = true
		}
		if form&lang.VerbIng != 0 && nounBefore && o.verbs > 0 {
			f[qReduced1] = true
		}
	} else if len(n) > 5 && strings.HasSuffix(n, "est") {
		f[qMost] = true
	}
	if prev == "and" && i > 2 && !toks[i-2].Stop && next == "of" || prev == "and" && i > 3 && toks[i-2].Stop && next == "of" {
		f[qCoordinated] = true
	}
}

// counts turns what was counted into features.
func (o *observer) counts() {
	f := &o.f
	f[qBias] = true
	f[qTwoAsks], f[qThreeAsks] = o.asks >= 2, o.asks >= 3
	f[qTwoSentences] = o.sentences > 0
	f[qIndefinite], f[qIndefinites] = o.indefinite == 1, o.indefinite > 1
	f[qNoRare], f[qOneRare], f[qThreeRare] = o.rare == 0, o.rare == 1, o.rare >= 3
	f[qRelation], f[qRelations2] = o.relations > 0, o.relations > 1
	f[qPossessive1], f[qPossessive2] = o.possessive == 1, o.possessive > 1
	f[qTwoOf], f[qThreeOf] = o.of == 2, o.of > 2
	f[qTheThrice] = o.definite >= 3
	f[qTwoVerbs], f[qThreeVerbs] = o.verbs == 2, o.verbs > 2
}

// choice sees whether things are offered or weighed.
func (o *observer) choice() {
	if o.or <= 0 {
		o.f[qWeighed] = o.comparative
		return
	}
	o.f[qOrChoice] = true
	for k := o.or; k > 1 && k > o.or-12; k-- {
		if o.toks[k].Sep.Any(lang.Comma | lang.Colon) {
			o.f[qCommaOr] = true
		}
	}
	o.f[qOrWeighed] = o.comparative || o.ordered
}

// asked sees what the first question word is.
func (o *observer) asked() {
	toks, wh, f := o.toks, o.wh, &o.f
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
