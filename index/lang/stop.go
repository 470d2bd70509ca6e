package lang

// IsStop reports whether a normal form carries structure instead of content:
// articles, pronouns, prepositions, conjunctions, auxiliaries, question words.
func IsStop(norm string) bool {
	e := lookUp(norm)
	return e != nil && e.stop
}

const stopWords = `a an the this that these those such i me my we us our you your he him his she her hers it its they them their
	itself himself herself themselves one's who whom whose what which when where why how whats whos there here and
	or but nor if then than as because while although though so yet of in on at by for from to with into onto
	about over under through during before after between among against within without upon via per off out up down
	near since until also both each either is am are was were be been being 's isn't wasn't do does did done doing
	don't doesn't didn't has have had having can could will would shall should may might must not no any some all
	very just own too only same other another more most however many much s t`

// IsPreposition reports whether a normal form is a common preposition.
func IsPreposition(norm string) bool {
	switch norm {
	case "of", "in", "on", "at", "by", "for", "from", "to", "with", "into", "onto", "about", "over", "under",
		"through", "during", "before", "after", "between", "among", "against", "within", "without", "upon",
		"via", "per", "near", "since", "until", "as", "than", "towards", "toward", "across", "along", "around", "behind":
		return true
	}
	return false
}

// IsAuxiliary reports whether a normal form is a form of be, do or have, or a modal.
func IsAuxiliary(norm string) bool {
	switch norm {
	case "is", "am", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had",
		"can", "could", "will", "would", "shall", "should", "may", "might", "must",
		"isn't", "wasn't", "aren't", "weren't", "don't", "doesn't", "didn't":
		return true
	}
	return false
}

// IsBe reports whether a normal form is a form of be.
func IsBe(norm string) bool {
	switch norm {
	case "is", "are", "was", "were", "be", "been", "am":
		return true
	}
	return false
}

// Denies reports whether a word denies what it stands with.
func Denies(norm string) bool {
	switch norm {
	case "not", "no", "never", "cannot", "neither", "nor", "without", "only", "none", "nobody", "nothing":
		return true
	}
	return len(norm) > 3 && norm[len(norm)-3:] == "n't"
}
