package oracle

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// gold is a data set's question as the steps that lead to its answer; at
// least one, the question itself where the data has no decomposition.
type gold struct {
	question *dataset.Question
	steps    []step
}

// step is a sub-question.
type step struct {
	part   string           // $1 stands for the first step's answer
	query  string           // gold answers stand for themselves
	needs  []int            // the steps whose answers it names, from 0
	wanted []dataset.Entity // its gold answer; more than one where it asks for a list
	// support are the documents that hold the answer, where the data says so.
	support []string
}

// read takes a question's steps from its decomposition, if that is whole.
func read(q *dataset.Question) *gold {
	g := &gold{question: q}
	whole := len(q.Decomposition) > 0
	numbered := false
	for _, s := range q.Decomposition {
		whole = whole && strings.TrimSpace(s.Question) != "" && strings.TrimSpace(s.Answer) != ""
		numbered = numbered || number.MatchString(s.Question)
	}
	if !whole {
		g.steps = []step{{part: q.Question, query: q.Question, wanted: wanted(q), support: q.Supporting}}
		return g
	}
	for i, s := range q.Decomposition {
		names := g.numbers
		if !numbered {
			names = g.names
		}
		g.steps = append(g.steps, g.bind(plain(s.Question), names))
		at := &g.steps[i]
		at.wanted, at.support = []dataset.Entity{{strings.TrimSpace(s.Answer)}}, []string{s.Support}
		if i == len(q.Decomposition)-1 && !q.List && score.EM(s.Answer, q.Answers) == 1 {
			at.wanted[0] = append(at.wanted[0], q.Answers...) // its other names
		}
	}
	return g
}

// wanted are the things a question without steps asks for.
func wanted(q *dataset.Question) []dataset.Entity {
	switch {
	case len(q.Entities) > 0:
		return q.Entities
	case q.List:
		all := make([]dataset.Entity, len(q.Answers))
		for i, a := range q.Answers {
			all[i] = dataset.Entity{a}
		}
		return all
	case len(q.Answers) > 0:
		return []dataset.Entity{q.Answers}
	}
	return nil
}

// plain is a step's text as a question.
func plain(text string) string {
	if subject, relation, ok := dataset.Relation(text); ok {
		return "What is the " + relation + " of " + subject + "?"
	}
	return strings.TrimSpace(text)
}

// reference is where a text names an earlier step's answer.
type reference struct{ from, to, step int }

// bind makes a step of a text, given where it names earlier answers.
func (g *gold) bind(text string, names func(string) []reference) step {
	var s step
	var part, query strings.Builder
	last := 0
	for _, r := range names(text) {
		between := money.ReplaceAllString(text[last:r.from], "$$ $1")
		part.WriteString(between)
		query.WriteString(between)
		part.WriteString("$" + strconv.Itoa(r.step+1))
		query.WriteString(g.steps[r.step].answer())
		if !slices.Contains(s.needs, r.step) {
			s.needs = append(s.needs, r.step)
		}
		last = r.to
	}
	rest := money.ReplaceAllString(text[last:], "$$ $1")
	s.part, s.query = part.String()+rest, query.String()+rest
	return s
}

// money finds amounts such as $5, which would be read as placeholders.
var money = regexp.MustCompile(`\$([0-9])`)

var number = regexp.MustCompile(`#([0-9]{1,2})\b`)

// numbers finds #1, #2, … where there is such an earlier step, and the
// question does not itself speak of a number one.
func (g *gold) numbers(text string) []reference {
	var out []reference
	for _, at := range number.FindAllStringSubmatchIndex(text, -1) {
		n, err := strconv.Atoi(text[at[2]:at[3]])
		if err == nil && n >= 1 && n <= len(g.steps) && !strings.Contains(g.question.Question, text[at[0]:at[1]]) {
			out = append(out, reference{at[0], at[1], n - 1})
		}
	}
	return out
}

// names finds earlier steps' answers by their words, where the data writes
// them out: what the question does not say must come from a step.
func (g *gold) names(text string) []reference {
	var out []reference
	for i := range g.steps {
		a := g.steps[i].answer()
		if key(a) == "" || derived(a) || score.Acc(g.question.Question, []string{a}) == 1 {
			continue
		}
		for from := 0; ; {
			at := strings.Index(text[from:], a)
			if at < 0 {
				break
			}
			r := reference{from + at, from + at + len(a), i}
			from = r.to
			if wholeWords(text, r) {
				out = append(out, r)
			}
		}
	}
	// Of names that overlap, the longest one that begins first.
	slices.SortStableFunc(out, func(x, y reference) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(y.to, x.to))
	})
	end := 0
	return slices.DeleteFunc(out, func(r reference) bool {
		if r.from < end {
			return true
		}
		end = r.to
		return false
	})
}

func wholeWords(text string, r reference) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(text[:r.from])
	after, _ := utf8.DecodeRuneInString(text[r.to:])
	return !letter(before) && !letter(after)
}

// class is the data's, or follows from what the question consists of.
func (g *gold) class() messages.Class {
	switch {
	case g.question.Class != "":
		return g.question.Class
	case len(g.steps) > 1:
		return messages.Complex
	case len(g.question.Entities) > 0:
		return messages.Compound
	}
	return messages.Single
}

// answer is the question's.
func (g *gold) answer() string {
	var all []string
	if g.question.List || len(g.question.Entities) > 0 {
		for _, w := range wanted(g.question) {
			all = append(all, w[0])
		}
	} else if len(g.question.Answers) > 0 {
		all = g.question.Answers[:1]
	}
	return strings.Join(all, separator)
}

func (g *gold) parts() []string {
	out := make([]string, len(g.steps))
	for i := range out {
		out[i] = g.steps[i].part
	}
	return out
}

func (g *gold) queries() []string {
	out := make([]string, len(g.steps))
	for i := range out {
		out[i] = g.steps[i].query
	}
	return out
}

// depth is the length of the longest chain of steps that need each other.
func (g *gold) depth() int {
	depth, most := make([]int, len(g.steps)), 0
	for i, s := range g.steps { // what a step needs stands before it
		for _, n := range s.needs {
			depth[i] = max(depth[i], depth[n])
		}
		depth[i]++
		most = max(most, depth[i])
	}
	return most
}

// lead tells which steps lead to the answer: those that the last one needs,
// and theirs, if it comes to the answer; else all of them.
func (g *gold) lead() []bool {
	out := make([]bool, len(g.steps))
	last := len(out) - 1
	if score.EM(g.steps[last].answer(), g.question.Answers) == 0 {
		for i := range out {
			out[i] = true
		}
		return out
	}
	out[last] = true
	for i := last; i >= 0; i-- {
		if out[i] {
			for _, n := range g.steps[i].needs {
				out[n] = true
			}
		}
	}
	return out
}

// state is how far a step got.
type state int

const (
	unasked state = iota
	open          // asked, and nothing found
	answered
)

// progress returns the state of each step.
func (g *gold) progress(pairs []messages.Pair) []state {
	out := make([]state, len(g.steps))
	for i := range g.steps {
		k := key(g.steps[i].query)
		for j := range pairs {
			if key(pairs[j].Question) != k {
				continue
			}
			if !pairs[j].Open() {
				out[i] = answered
			} else {
				out[i] = max(out[i], open)
			}
		}
	}
	return out
}

// askable are the queries of the steps that were not asked, and whose needs
// were all answered.
func (g *gold) askable(progress []state) []string {
	var out []string
	for i := range g.steps {
		ready := progress[i] == unasked
		for _, n := range g.steps[i].needs {
			ready = ready && progress[n] == answered
		}
		if ready {
			out = append(out, g.steps[i].query)
		}
	}
	return out
}
