package plan

import (
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// Replan returns a plan for what is left of question after plan led nowhere:
// the parts without an answer, with the known answers put in. A part that was
// asked in vain is asked in fewer words; if it cannot be shortened, it is left
// out and described in the parts that name its answer. Parts with answers are
// left out too: their pairs stay with the question. Where that gives no new
// plan, or one with a part that was asked in vain, elsewise looks for another.
func (l *Planner) Replan(question string, plan []string, pairs []messages.Pair) []string {
	if len(plan) == 0 || len(plan) > messages.MaxParts {
		return l.elsewise(question, plan, pairs)
	}
	answers, vain := outcomes(question, plan, pairs)
	if !slices.Contains(vain, true) {
		return l.elsewise(question, plan, pairs)
	}
	left := make([]int, 0, len(plan)) // the parts of the new plan
	for i := range plan {
		if answers[i] == "" && (!vain[i] || !used(question, plan, i) || fewerWords(plan[i]) != plan[i]) {
			left = append(left, i)
		}
	}
	own := l.Of(question)
	var out []string
	for _, i := range left {
		part := plan[i]
		if vain[i] {
			part = fewerWords(part)
		}
		ok, refs := true, 0
		part = subquestion.Replace(part, question, func(n int) string {
			switch at := slices.Index(left, n-1); {
			case n < 1 || n > len(plan):
				ok = false
			case answers[n-1] != "":
				return answers[n-1]
			case at >= 0:
				refs++
				return subquestion.Placeholder(at + 1)
			default:
				d := descriptionOf(question, plan, n-1, answers, own)
				ok = ok && d != ""
				return d
			}
			return ""
		})
		if !ok || askedInVain(part, pairs) || (refs == 0) != (len(subquestion.References(part, question)) == 0) || len(part) > messages.MaxQuestion {
			return l.elsewise(question, plan, pairs)
		}
		out = append(out, part)
	}
	if len(out) == 0 || slices.Equal(out, plan) {
		return l.elsewise(question, plan, pairs)
	}
	return out
}

// elsewise returns a plan that takes question apart in another way than plan, or
// the question as it stands; nil if that was asked before.
func (l *Planner) elsewise(question string, plan []string, pairs []messages.Pair) []string {
	for _, parts := range l.ways(question) {
		vain := slices.ContainsFunc(parts, func(part string) bool { return askedInVain(part, pairs) })
		if !vain && !slices.Equal(parts, plan) && faultsOf(question, parts) == 0 {
			return parts
		}
	}
	return nil
}

// outcomes returns the answers of plan's parts, and which were asked in vain.
func outcomes(question string, plan []string, pairs []messages.Pair) (answers []string, vain []bool) {
	answers, vain = make([]string, len(plan)), make([]bool, len(plan))
	for range plan { // a part may need the answer of one behind it
		for i, part := range plan {
			if answers[i] != "" {
				continue
			}
			text := subquestion.Replace(part, question, func(n int) string {
				if n >= 1 && n <= len(plan) && answers[n-1] != "" {
					return answers[n-1]
				}
				return subquestion.Placeholder(n)
			})
			for k := range pairs {
				if p := &pairs[k]; p.Part == i+1 || subquestion.Same(p.Question, text) {
					if a := answerOf(p); a != "" {
						answers[i] = a
					} else {
						vain[i] = true
					}
				}
			}
			vain[i] = vain[i] && answers[i] == ""
		}
	}
	return answers, vain
}

// askedInVain reports whether text was asked and not answered.
func askedInVain(text string, pairs []messages.Pair) bool {
	p := askedPair(text, pairs)
	return p != nil && answerOf(p) == ""
}

// descriptionOf returns what stands for the answer of part i: the question's
// own words, or those of the part. It is empty if the part's form does not
// allow that, or needs a description itself.
func descriptionOf(question string, plan []string, i int, answers []string, own *Plan) string {
	if parts := own.Parts(); slices.Equal(parts, plan) {
		if order := own.number(); order != nil {
			step := slices.Index(order, i)
			known := make([]string, len(order))
			for s, at := range order {
				known[s] = answers[at]
			}
			var b strings.Builder
			writeWords(&b, trimWords(own.steps[step].desc), own.filler(known))
			return strings.TrimSpace(b.String())
		}
	}
	ok := true
	part := subquestion.Replace(plan[i], question, func(n int) string {
		if n < 1 || n > len(plan) || answers[n-1] == "" {
			ok = false
			return ""
		}
		return answers[n-1]
	})
	if !ok {
		return ""
	}
	return asPhrase(part)
}

// asPhrase turns a question into what it asks for: "Who is the director of X?"
// into "the director of X", "Which film won in 1990?" into "the film that won
// in 1990". It is empty for other forms.
func asPhrase(question string) string {
	q := parseWords(question)
	if len(q) < 3 {
		return ""
	}
	switch {
	case q[0].is("who", "what") && lang.IsBe(q[1].norm) && q[2].article():
		return textOf(q[2:])
	case q[0].is("who") && verbAt(q, 1) && !q[1].aux():
		return "the person who " + textOf(q[1:])
	case q[0].is("which", "what"):
		if v := nextVerb(q, 1, len(q)); v > 1 && v <= 5 && !q[v].is("did", "do", "does") {
			return "the " + textOf(q[1:v]) + " that " + textOf(q[v:])
		}
	}
	return ""
}

// fewerWords asks a part without what stands in brackets, and without the
// kinds that stand before names ("film Up").
func fewerWords(part string) string {
	q := parseWords(part)
	out := make([]word, 0, len(q))
	open := false
	for i := range q {
		w := q[i]
		open = open || strings.Contains(w.pre, "(")
		dropped := open || !w.names() && kindWord(&w) && i > 0 && i+1 < len(q) && q[i+1].names() && !q[i-1].wh()
		if open = open && !strings.Contains(w.post, ")"); dropped {
			continue
		}
		out = append(out, w)
	}
	if len(out) == 0 || len(out) == len(q) {
		return part
	}
	return asQuestion(out, func(*strings.Builder, int) {})
}
