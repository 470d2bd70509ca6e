package revelator

import (
	"strings"

	"hopstream/index/lang"
)

// verbalise asks for the other end of a relation in words, by the form of the
// relation's name:
//
//	shares border with     What does S share border with?
//	contains district      Which district does S contain?
//	owned by               What is S owned by?
//	located in the county  Which county is S located in?
//	place of birth         What is the place of birth of S?
func verbalise(subject, relation string) string {
	words := strings.Fields(relation)
	last := lang.Norm(words[len(words)-1])
	base, form := lang.Verb(lang.Norm(words[0]))
	if form&lang.VerbThird != 0 && form&lang.VerbBase == 0 && base != "" && !lang.IsRole(lang.Norm(words[0])) {
		rest := strings.Join(words[1:], " ")
		switch {
		case rest == "":
			return "What does " + subject + " " + base + "?"
		case lang.IsPreposition(last):
			return "What does " + subject + " " + base + " " + rest + "?"
		}
		return "Which " + rest + " does " + subject + " " + base + "?"
	}
	if len(words) > 1 && lang.IsPreposition(last) {
		return "What is " + subject + " " + relation + "?"
	}
	if form&lang.VerbParticiple != 0 || membership[lang.Norm(words[0])] {
		if i := firstPreposition(words); i > 0 && i+1 < len(words) {
			object := strings.TrimPrefix(strings.Join(words[i+1:], " "), "the ")
			return "Which " + object + " is " + subject + " " + strings.Join(words[:i+1], " ") + "?"
		}
	}
	return "What is the " + relation + " of " + subject + "?"
}

// membership are nouns that are worded like participles: "Which club is S member of?"
var membership = map[string]bool{"member": true, "part": true, "participant": true}

// firstPreposition returns where the first run of prepositions ends, or -1:
// in "located in or next to water" that is "to".
func firstPreposition(words []string) int {
	for i, w := range words {
		if !lang.IsPreposition(lang.Norm(w)) {
			continue
		}
		if i+3 < len(words) && words[i+1] == "or" {
			for j := i + 2; j+1 < len(words) && j <= i+3; j++ {
				if lang.IsPreposition(lang.Norm(words[j])) {
					return j
				}
			}
		}
		return i
	}
	return -1
}
