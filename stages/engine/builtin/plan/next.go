package plan

import (
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// Next returns the first question of the plan that was not asked yet, given
// the pairs so far; "" when there is none. What was asked in vain is described
// instead of named in the steps that build on it.
func (p *Plan) Next(pairs []messages.Pair) string {
	if len(p.steps) == 0 {
		return unasked(p.Question, pairs)
	}
	answers := make([]string, len(p.steps))
	failed := false
	for i := range p.steps {
		text := p.render(i, answers)
		pair := askedPair(text, pairs)
		if pair == nil {
			return text
		}
		if answers[i] = answerOf(pair); answers[i] == "" {
			failed = true
		}
	}
	last := len(answers) - 1
	if !p.Compare && answers[last] != "" || p.Compare && !failed {
		return ""
	}
	return unasked(p.Question, pairs)
}

// Matched returns how many of the plan's steps the pairs answer.
func (p *Plan) Matched(pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	n := 0
	for i := range p.steps {
		pair := askedPair(p.render(i, answers), pairs)
		if pair == nil {
			break
		}
		answers[i] = answerOf(pair)
		n++
	}
	return n
}

// Answers returns what the pairs answer to each step, "" where they do not.
func (p *Plan) Answers(pairs []messages.Pair) []string {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		if pair := askedPair(p.render(i, answers), pairs); pair != nil {
			answers[i] = answerOf(pair)
		}
	}
	return answers
}

// End returns which of the pairs answers the plan's last step; -1 while none does.
func (p *Plan) End(pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		at := asked(p.render(i, answers), pairs)
		if at < 0 {
			return -1
		}
		if answers[i] = answerOf(&pairs[at]); i == len(p.steps)-1 && answers[i] != "" {
			return at
		}
	}
	return -1
}

// render words step i. A plan of one step asks the question itself.
func (p *Plan) render(i int, answers []string) string {
	if len(p.steps) == 1 {
		return p.Question
	}
	return asQuestion(p.steps[i].ask, p.filler(answers))
}

// filler writes a slot: its answer, or else its description.
func (p *Plan) filler(answers []string) func(b *strings.Builder, slot int) {
	var fill func(b *strings.Builder, slot int)
	fill = func(b *strings.Builder, slot int) {
		if slot > len(p.steps) || b.Len() > 2*messages.MaxQuestion {
			return
		}
		if a := answers[slot-1]; a != "" {
			b.WriteString(a)
			return
		}
		writeWords(b, trimWords(p.steps[slot-1].desc), fill)
	}
	return fill
}

// unasked returns the question unless it was asked before.
func unasked(question string, pairs []messages.Pair) string {
	if askedPair(question, pairs) != nil {
		return ""
	}
	return question
}

// asked returns which pair asked text, the last one, preferring one with an answer;
// -1 if none did.
func asked(text string, pairs []messages.Pair) int {
	found := -1
	for i := range pairs {
		if subquestion.Same(pairs[i].Question, text) && (found < 0 || pairs[found].Open() || !pairs[i].Open()) {
			found = i
		}
	}
	return found
}

// askedPair is asked, as the pair; nil if none did.
func askedPair(text string, pairs []messages.Pair) *messages.Pair {
	if i := asked(text, pairs); i >= 0 {
		return &pairs[i]
	}
	return nil
}

// maxAnswer bounds what is put into the next question.
const maxAnswer = 120

// answerOf returns a pair's short answer in the form in which it is put into the
// next question: of a list all items with an "and" before the last; only the
// first line, without the full stop; "" for a non-answer such as "unknown".
func answerOf(p *messages.Pair) string {
	if p.Open() {
		return ""
	}
	a := strings.TrimSpace(p.Answer)
	if items := strings.Split(a, "; "); len(p.Claims) > 1 && len(items) == len(p.Claims) {
		last := len(items) - 1
		a = strings.Join(items[:last], ", ") + " and " + items[last]
	}
	a = strings.TrimSpace(subquestion.FirstLine(a, maxAnswer))
	if !strings.HasSuffix(a, ".") || strings.Count(a, ".") == 1 && strings.Contains(a, " ") && !Abbreviated(a) {
		a = strings.TrimSuffix(a, ".")
	}
	switch strings.ToLower(a) {
	case "unknown", "none", "not found", "no answer", "n/a", "i don't know", "i do not know", "not mentioned":
		return ""
	}
	return a
}

// Abbreviated reports whether the full stop at the end of a belongs to an
// abbreviation: "Robert Downey Jr."
func Abbreviated(a string) bool {
	last := a[strings.LastIndexByte(a, ' ')+1:]
	return len(last) <= 4
}

// Open returns the questions of all steps that can be asked now and were not.
func (p *Plan) Open(pairs []messages.Pair) []string {
	var out []string
	answers, asked := make([]string, len(p.steps)), make([]bool, len(p.steps))
	for i := range p.steps {
		ready := true
		for _, slot := range p.needs(i) {
			ready = ready && asked[slot-1]
		}
		if !ready {
			continue
		}
		text := p.render(i, answers)
		if pair := askedPair(text, pairs); pair != nil {
			asked[i], answers[i] = true, answerOf(pair)
		} else if len(text) <= messages.MaxQuestion && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
