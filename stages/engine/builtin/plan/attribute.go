package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
)

// askAttribute asks thing for what pred compares. person says that thing is one
// for certain.
func askAttribute(pred, thing []word, person bool) []word {
	has := func(norms ...string) bool {
		for i := range pred {
			if pred[i].is(norms...) {
				return true
			}
		}
		return false
	}
	ask := func(before, after string) []word {
		return catWords(plainWords(before), spacedWords(thing), plainWords(after))
	}
	weighs := compares(pred)
	same := has("same") || has("one", "single") && likened(pred)
	switch {
	case livesLonger(pred):
		return ask("when did", "die")
	case has("live", "lived", "lives") && has("later", "last", "latest"), has("outlived", "outlive"):
		return ask("when did", "die")
	case has("die", "died", "death", "passed") && weighs:
		return ask("when did", "die")
	case has("older", "younger", "oldest", "youngest", "elder", "eldest", "born", "birth", "birthday", "age") && weighs:
		return ask("when was", "born")
	case person && has("both") && slices.ContainsFunc(pred, func(w word) bool { return lang.ClassOf(w.norm)&lang.Demonym != 0 }):
		return ask("what is the nationality of", "")
	case has("nationality", "citizenship", "nationalities"), slices.ContainsFunc(pred, func(w word) bool { return likeness(&w) }):
		return ask("what is the nationality of", "")
	case has("country", "nation") && same && person:
		return ask("what is the nationality of", "")
	case has("country", "nation") && same && has("origin", "originate", "made", "produced", "released"):
		return ask("what is the country of origin of", "")
	case has("country", "nation") && same && (has("located", "situated", "hold", "contain") || within(pred)):
		return ask("in which country is", "located")
	case has("country", "nation") && same:
		return ask("which country is", "from")
	case has("population", "populous", "populated", "inhabitants"):
		return ask("what is the population of", "")
	}
	if n := dated(pred); n != "" {
		return ask("when was", n)
	}
	if noun := counted(pred); noun != nil {
		return catWords(plainWords("how many"), noun, plainWords("does"), spacedWords(thing), plainWords("have"))
	}
	if adj := measured(pred); adj != "" {
		return ask("how "+adj+" is", "")
	}
	if noun := sharedNoun(pred); noun != nil {
		if lang.IsPlace(noun[len(noun)-1].norm) {
			switch {
			case has("born"):
				return ask("where was", "born")
			case has("died", "die"):
				return ask("where did", "die")
			}
			return catWords(plainWords("in which"), noun, plainWords("is"), spacedWords(thing), plainWords("located"))
		}
		return catWords(plainWords("what"), noun, plainWords("is"), spacedWords(thing))
	}
	return stated(pred, thing)
}

// livesLonger reports whether it is lives whose length is compared.
func livesLonger(pred []word) bool {
	lives, longer := false, false
	for i := range pred {
		w := &pred[i]
		lives = lives || w.is("live", "lived", "lives", "life", "lifespan")
		longer = longer || w.is("longer", "longest", "shorter", "shortest", "older", "age")
	}
	return lives && longer
}

// within reports whether things are asked to be in the same place.
func within(pred []word) bool {
	for i := range pred {
		if pred[i].is("same", "one") && i > 0 && (pred[i-1].is("in") || i > 1 && pred[i-2].is("in")) {
			return true
		}
	}
	return false
}

// dated returns the participle of an event whose order is asked for: "was
// released first", "opened earlier", "came out first".
func dated(pred []word) string {
	order := false
	verb, kind := "", ""
	for i := range pred {
		w := &pred[i]
		if w.is("first", "earlier", "earliest", "later", "last", "latest", "recently", "recent", "newer", "newest", "sooner", "before", "longest", "longer") {
			order = true
		}
		switch {
		case workWord(w), w.is("release"):
			kind = "released"
		case w.is("band", "bands", "group", "groups"):
			kind = "formed"
		}
		if base, f := lang.Verb(w.norm); !w.names() && f&(lang.VerbPast|lang.VerbParticiple) != 0 && verb == "" {
			if verb = w.norm; base == "come" {
				verb = "released"
			}
		}
	}
	if !order {
		return ""
	}
	switch verb {
	case "released", "published", "founded", "established", "formed", "created", "built", "opened", "launched", "started", "begun",
		"introduced", "completed", "produced", "written", "recorded", "invented", "discovered", "constructed", "incorporated",
		"premiered", "aired", "chartered", "debuted", "signed", "elected", "organized", "made", "began", "directed", "decided":
		if verb == "began" {
			verb = "started"
		}
		return verb
	}
	return kind
}

// counted returns what there is more of: "which has more species".
func counted(pred []word) []word {
	for i := range pred {
		if !pred[i].is("more", "most", "fewer", "many") && !(pred[i].is("of") && i > 0 && pred[i-1].is("number")) || i+1 >= len(pred) {
			continue
		}
		end := i + 1
		for end < len(pred) && end < i+4 && !pred[end].preposition() && !pred[end].aux() && pred[end].verb&lang.VerbPast == 0 {
			end++
			if pred[end-1].comma() {
				break
			}
		}
		n := trimWords(pred[i+1 : end])
		if len(n) > 0 && strings.HasSuffix(n[len(n)-1].norm, "s") && !strings.HasSuffix(n[len(n)-1].norm, "ous") || len(n) > 0 && n[len(n)-1].is("people", "species", "children") {
			return spacedWords(n)
		}
	}
	return nil
}

// measured returns the adjective of a measure: "taller" gives "tall".
func measured(pred []word) string {
	for i := range pred {
		switch w := &pred[i]; {
		case w.is("taller", "tallest"):
			return "tall"
		case w.is("higher", "highest"):
			return "high"
		case w.is("larger", "largest", "bigger", "biggest", "smaller", "smallest"):
			return "large"
		case w.is("longer", "longest", "shorter", "shortest"):
			return "long"
		case w.is("deeper", "deepest"):
			return "deep"
		case w.is("heavier", "heaviest"):
			return "heavy"
		case w.is("closer", "closest", "farther", "further"):
			return "far"
		}
	}
	return ""
}

// sharedNoun returns what two things are asked to share: "the same genre",
// "what profession … in common".
func sharedNoun(pred []word) []word {
	for i := range pred {
		if !pred[i].is("same") {
			continue
		}
		end := i + 1
		for end < len(pred) && end < i+5 && !pred[end].preposition() && !pred[end].aux() {
			end++
		}
		if n := trimWords(pred[i+1 : end]); len(n) > 0 {
			return spacedWords(n)
		}
	}
	return nil
}

// stated puts thing into the predicate: "Were A and B both directors" becomes
// "was A a director" in all but grammar, "which group released ten albums"
// becomes "A released ten albums".
func stated(pred, thing []word) []word {
	if len(pred) == 0 {
		return catWords(plainWords("what is"), spacedWords(thing))
	}
	for i := len(pred) - 1; i > 0; i-- { // what is asked behind a clause that names the two
		if pred[i].aux() && pred[i-1].post != "" {
			pred = pred[i:]
			break
		}
	}
	// Drop what only says that there are two.
	rest := make([]word, 0, len(pred))
	for i := range pred {
		w := &pred[i]
		if w.is("both", "either", "also", "each", "they", "them", "of") && (!w.is("of") || i > 0 && pred[i-1].is("each")) || w.is("common") && i > 0 && pred[i-1].is("in") {
			continue
		}
		rest = append(rest, *w)
	}
	for i := len(rest) - 1; i > 0 && rest[i].is("in", "have", ","); i-- {
		rest = rest[:i]
	}
	for i := 2; i+1 < len(rest) && rest[0].aux() && rest[1].is("it"); i++ { // "is it true that"
		if rest[i].is("that") {
			rest = rest[i+1:]
		}
	}
	for i := 1; i < len(rest) && rest[0].aux() && rest[i-1].post == ""; i++ { // "are both located in which country"
		if !rest[i].is("what", "which") {
			continue
		}
		if rest[i-1].preposition() {
			i--
		}
		return catWords(trimWords(rest[i:]), plainWords(singularAux(rest[0].norm)), spacedWords(thing), spacedWords(rest[1:i]))
	}
	if rest[0].aux() {
		return catWords(plainWords(singularAux(rest[0].norm)), spacedWords(thing), spacedWords(rest[1:]))
	}
	for i := range rest { // "To what group of plants do … belong"
		if i > 0 && rest[i].aux() && rest[0].wh() || i > 1 && rest[i].is("do", "does", "did") {
			if i+1 == len(rest) || rest[i].is("do", "does", "did", "are", "were") {
				return catWords(rest[:i], plainWords(singularAux(rest[i].norm)), spacedWords(thing), spacedWords(rest[i+1:]))
			}
		}
	}
	if v := nextVerb(rest, 1, len(rest)); v > 0 {
		return catWords(spacedWords(thing), spacedWords(rest[v:]))
	}
	return catWords(plainWords("what is"), spacedWords(thing))
}

func singularAux(aux string) string {
	switch aux {
	case "are":
		return "is"
	case "were":
		return "was"
	case "do":
		return "does"
	case "have":
		return "has"
	}
	return aux
}
