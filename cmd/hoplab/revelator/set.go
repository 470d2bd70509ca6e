package revelator

import (
	"regexp"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// Set is a data set to learn from.
type Set struct {
	Name string
	// Class is the class of the questions without one of their own; if it is
	// empty, too, their gold may tell (see class).
	Class     messages.Class
	Questions []dataset.Question
	Documents []dataset.Document // may be none
}

// reference is the answer of an earlier sub-question, in the text of a later one.
var reference = regexp.MustCompile(`#[0-9]+\b`)

// class tells what class q is: its own, else the set's, else complex where a
// sub-question names the answer of another, and compound where each has
// entities of its own. Empty: nothing tells.
func (s *Set) class(q *dataset.Question) messages.Class {
	switch {
	case q.Class != "":
		return q.Class
	case s.Class != "":
		return s.Class
	}
	for _, step := range q.Decomposition {
		if reference.MatchString(step.Question) {
			return messages.Complex
		}
	}
	if len(q.Decomposition) > 1 && len(q.Entities) == len(q.Decomposition) {
		return messages.Compound
	}
	return ""
}

// usable reports whether the pipeline would take the question's text.
func usable(text string) bool {
	return (&messages.Question{Question: text}).Validate() == nil
}

// textKey is the key under which spellings of one question are the same.
func textKey(question string) string { return score.Normalize(question) }

// holds reports whether a normalised text with a space at both ends states one
// of the answers. It is false where yes or no is one of them: that the word
// occurs in a text says nothing.
func holds(normalized string, answers []string) bool {
	found := false
	for _, a := range answers {
		n := score.Normalize(a)
		if n == "yes" || n == "no" {
			return false
		}
		found = found || n != "" && strings.Contains(normalized, " "+n+" ")
	}
	return found
}
