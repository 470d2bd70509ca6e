package train

import (
	"strings"

	"hopstream/cmd/hoplab/score"
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/read"
)

// rightUnits returns for each unit whether it is right: it has most of a gold
// quote's words, or stands in a gold passage and has an answer.
func (x *Example) rightUnits(p *read.Page, at []int) []float32 {
	out := make([]float32, len(at))
	var answers []string
	for _, a := range x.Answers {
		if n := words(a); n != "" {
			answers = append(answers, n)
		}
	}
	for k, i := range at {
		u := &p.Units[i]
		t := &p.Texts[u.Text]
		text := t.Text[u.Start:u.End]
		switch {
		case len(x.Quotes) > 0:
			out[k] = yes(quotes(text, x.Quotes))
		case x.Gold[t.ID]:
			n := " " + words(text)
			for _, a := range answers {
				out[k] = max(out[k], yes(strings.Contains(n, " "+a)))
			}
		}
	}
	return out
}

func yes(ok bool) float32 {
	if ok {
		return 1
	}
	return 0
}

// words are a text's words in their normal form, a space behind each.
func words(s string) string {
	var b strings.Builder
	for _, t := range lang.Tokens(s) {
		b.WriteString(t.Norm)
		b.WriteByte(' ')
	}
	return b.String()
}

// quotes reports whether text has half the content words of one of the quotes.
func quotes(text string, all []string) bool {
	in := map[string]bool{}
	for _, t := range lang.Tokens(text) {
		in[t.Norm] = true
	}
	for _, quote := range all {
		n, have := 0, 0
		for _, t := range lang.Tokens(quote) {
			if !t.Stop {
				n++
				if in[t.Norm] {
					have++
				}
			}
		}
		if n > 0 && 2*have >= n {
			return true
		}
	}
	return false
}

// near is what a span is worth that shares most words with a right one.
const near = 0.05

// rightSpans returns for each text how right it is as a span.
func (x *Example) rightSpans(texts []string) []float32 {
	out := make([]float32, len(texts))
	for i, t := range texts {
		em, f1 := x.against(t)
		switch {
		case em:
			out[i] = 1
		case f1 > 0.5:
			out[i] = near * float32(f1)
		}
	}
	return out
}

// against returns whether a text is a right answer word for word, and the F1 of
// the one that is nearest.
func (x *Example) against(text string) (em bool, f1 float64) {
	return score.EM(text, x.Answers) > 0, score.F1(text, x.Answers)
}

// rightAnswer tells how right an answer is to one who reads it: of a span, its
// F1 with a right one; of sentences, whether they hold one, or the share of
// those that are wanted.
func (x *Example) rightAnswer(text string, prose bool) float32 {
	if x.Unanswerable || len(x.Answers) == 0 {
		return 0
	}
	n := " " + words(text)
	held := 0
	for _, a := range x.Answers {
		if w := words(a); w != "" && strings.Contains(n, " "+w) {
			held++
		}
	}
	switch {
	case x.All:
		return float32(held) / float32(len(x.Answers))
	case prose || x.Set == docsSet:
		return yes(held > 0)
	}
	em, f1 := x.against(text)
	return max(yes(em), float32(f1))
}
