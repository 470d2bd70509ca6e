package searcher

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hopstream/index"
	"hopstream/messages"
)

// node is a search: what was asked for, and what it found.
type node struct {
	query index.Query
	found []messages.Passage
	depth int // how many operators led here
}

// queryOf is the query for any of the keywords.
func queryOf(keywords []string) index.Query {
	var q index.Query
	for _, w := range keywords {
		if fold(w) != "" {
			q.Words = append(q.Words, index.Word{Text: w})
		}
	}
	return q
}

// keywords are what an operator is shown: the words, phrases in quotes.
func (n *node) keywords() []string {
	var out []string
	for _, w := range n.query.Words {
		if w.Phrase {
			w.Text = `"` + w.Text + `"`
		}
		out = append(out, w.Text)
	}
	return out
}

// key tells queries apart that can find something different.
func (n *node) key() string {
	var parts []string
	for _, w := range n.query.Words {
		parts = append(parts, fmt.Sprintf("%s^%g %v", fold(w.Text), w.Boost, w.Phrase))
	}
	for _, p := range n.query.Not {
		parts = append(parts, "-"+fold(p))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// operator is one way to refine a query.
type operator struct {
	name string
	ask  func(o Operators, ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	// apply leaves q as it is; it reports whether the word makes sense there.
	apply func(q index.Query, word string) (index.Query, bool)
}

// operators are LevelRAG's three, in the order in which what they say is searched
// for.
var operators = []operator{
	{"extend", Operators.Extend, extend},
	{"emphasise", Operators.Emphasise, emphasise},
	{"exclude", Operators.Exclude, exclude},
}

// refining are the operators that can change what n found: where it found
// nothing, counting and leaving out find nothing either.
func (n *node) refining() []operator {
	if len(n.found) == 0 {
		return operators[:1]
	}
	return operators
}

// extend adds word, in quotes: passages that hold it are found too, and rise
// among the others. It keeps nothing out.
func extend(q index.Query, word string) (index.Query, bool) {
	there := func(w index.Word) bool {
		return fold(w.Text) == fold(word) && (w.Phrase || !strings.Contains(fold(word), " "))
	}
	if slices.ContainsFunc(q.Words, there) || slices.ContainsFunc(q.Not, func(n string) bool { return overlap(n, word) }) {
		return q, false
	}
	q.Words = append(slices.Clone(q.Words), index.Word{Text: word, Phrase: true})
	return q, true
}

// emphasis is how many times a word counts that was emphasised.
const emphasis = 2

// emphasise makes word, a keyword or part of one, count more.
func emphasise(q index.Query, word string) (index.Query, bool) {
	q.Words = slices.Clone(q.Words)
	for i := range q.Words {
		if fold(q.Words[i].Text) == fold(word) {
			q.Words[i].Boost = emphasis
			return q, true
		}
	}
	if !slices.ContainsFunc(q.Words, func(w index.Word) bool { return overlap(w.Text, word) }) {
		return q, false
	}
	q.Words = append(q.Words, index.Word{Text: word, Boost: emphasis})
	return q, true
}

// exclude makes word one that must not be found, unless it is part of what is
// looked for.
func exclude(q index.Query, word string) (index.Query, bool) {
	if has(q.Not, word) {
		return q, false
	}
	for _, w := range q.Words {
		if overlap(w.Text, word) {
			return q, false
		}
	}
	q.Not = append(slices.Clone(q.Not), word)
	return q, true
}

// has reports whether word is one of texts.
func has(texts []string, word string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return fold(t) == fold(word) })
}

// overlap reports whether two texts have a word in common.
func overlap(a, b string) bool {
	other := strings.Fields(fold(b))
	return slices.ContainsFunc(strings.Fields(fold(a)), func(w string) bool { return slices.Contains(other, w) })
}

// fold makes texts comparable: letters and digits, in lower case.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	}), " ")
}
