package builtin

import (
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// next returns the first question of the plan that was not asked yet, given
// the pairs so far; "" when there is none. What was asked in vain is described
// instead of named in the steps that build on it.
func (p *plan) next(question string, pairs []messages.Pair) string {
	if len(p.steps) == 0 {
		return unasked(question, pairs)
	}
	answers := make([]string, len(p.steps))
	failed := false
	for i := range p.steps {
		text := p.render(i, answers, question)
		pair := askedPair(text, pairs)
		if pair == nil {
			return text
		}
		if answers[i] = answerOf(pair); answers[i] == "" {
			failed = true
		}
	}
	last := len(answers) - 1
	if !p.compare && answers[last] != "" || p.compare && !failed {
		return ""
	}
	return unasked(question, pairs)
}

// matched returns how many of the plan's steps the pairs answer.
func (p *plan) matched(question string, pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	n := 0
	for i := range p.steps {
		pair := askedPair(p.render(i, answers, question), pairs)
		if pair == nil {
			break
		}
		answers[i] = answerOf(pair)
		n++
	}
	return n
}

// answers returns what the pairs answer to each step, "" where they do not.
func (p *plan) answers(question string, pairs []messages.Pair) []string {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		if pair := askedPair(p.render(i, answers, question), pairs); pair != nil {
			answers[i] = answerOf(pair)
		}
	}
	return answers
}

// end returns which of the pairs answers the plan's last step; -1 while none does.
func (p *plan) end(question string, pairs []messages.Pair) int {
	answers := make([]string, len(p.steps))
	for i := range p.steps {
		at := asked(p.render(i, answers, question), pairs)
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
func (p *plan) render(i int, answers []string, question string) string {
	if len(p.steps) == 1 {
		return question
	}
	return asQuestion(p.steps[i].ask, p.filler(answers))
}

// filler writes a slot: its answer, or else its description.
func (p *plan) filler(answers []string) func(b *strings.Builder, slot int) {
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
	if !strings.HasSuffix(a, ".") || strings.Count(a, ".") == 1 && strings.Contains(a, " ") && !abbreviated(a) {
		a = strings.TrimSuffix(a, ".")
	}
	switch strings.ToLower(a) {
	case "unknown", "none", "not found", "no answer", "n/a", "i don't know", "i do not know", "not mentioned":
		return ""
	}
	return a
}

// abbreviated reports whether the full stop at the end of a belongs to an
// abbreviation: "Robert Downey Jr."
func abbreviated(a string) bool {
	last := a[strings.LastIndexByte(a, ' ')+1:]
	return len(last) <= 4
}
