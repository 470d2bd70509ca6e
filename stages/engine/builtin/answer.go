package builtin

import (
	"context"
	"math"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// Answer returns the stretch of the windows that best answers question, or an
// empty Finding when nothing in them could. Either-or questions are answered
// with one of their options, yes-or-no questions with "yes" or "no", and
// questions for several things with claims, where the windows list them.
func (e *engine) Answer(_ context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 || strings.TrimSpace(question) == "" {
		return messages.Finding{}, nil
	}
	q := parseQuery(clip(question, maxText))
	sc := e.take()
	defer e.give(sc)
	readWindows(sc, &q, windows)
	if unheard(sc, &q) {
		return messages.Finding{}, nil
	}
	switch q.Type {
	case lang.Choice:
		if f, ok := chooseFrom(sc, &q); ok {
			return f, nil
		}
	case lang.YesNo:
		return yesNo(sc, &q), nil
	case lang.Description:
		if f, ok := clauseAnswer(sc, &q); ok {
			return f, nil
		}
	}
	return bestSpan(sc, &q), nil
}

// unheard reports whether the question names something, and no passage has a
// word of any name: what they say is then about something else.
func unheard(sc *scratch, q *query) bool {
	var found uint64
	for i := range sc.blocks {
		found |= sc.blocks[i].inTitle
	}
	for i := range sc.sents {
		found |= sc.sents[i].set
	}
	return q.names != 0 && found&q.names == 0
}

// bestSpan returns the best candidate.
func bestSpan(sc *scratch, q *query) messages.Finding {
	findCands(sc, q)
	if len(sc.cands) == 0 {
		return messages.Finding{}
	}
	w := &spanWeights[q.group]
	var x [features]float32
	best := 0
	verb, preposition := stranded(q)
	for i := range sc.cands {
		c := &sc.cands[i]
		measure(sc, q, c, &x)
		c.score = worth(&x, w)
		if verb != 0 && behind(sc, c, verb, preposition) {
			c.score += worthBehind
		}
		if c.score > sc.cands[best].score {
			best = i
		}
	}
	top := &sc.cands[best]
	f := messages.Finding{
		Text:       tidy(top.text),
		Confidence: trust(sc, best),
		Sources:    sourcesOf(sc, top),
	}
	if claims := enumerated(sc, q, best); len(claims) > 1 {
		f.Text, f.Claims = listText(claims), claims
	}
	return f
}

// trust returns how probable it is that the best candidate is right.
func trust(sc *scratch, best int) float64 {
	x := doubts(sc, best)
	return 1 / (1 + math.Exp(-float64(dot(x[:], trustWeights[:]))))
}

// The features of trust, a logistic model (trustWeights).
const (
	trustBias   = iota
	trustBelief // log probability of the best candidate among those with other words (softmax of the scores)
	trustScore  // the best candidate's score
	trustWide   // share of the question's weight in its sentence and title
	trustNames  // share of the question's names there
	trustOwn    // share of the question's weight in its sentence alone
	trustFeatures
)

func doubts(sc *scratch, best int) (x [trustFeatures]float32) {
	top := &sc.cands[best]
	sum := 1.0
	for i := range sc.cands {
		if c := &sc.cands[i]; c.key != top.key {
			sum += math.Exp(float64(c.score - top.score))
		}
	}
	s := &sc.sents[top.sent]
	x[trustBias] = 1
	x[trustBelief] = float32(-math.Log(sum))
	x[trustScore] = top.score
	x[trustWide] = s.wide
	x[trustNames] = s.names
	x[trustOwn] = s.own
	return x
}

func worth(f, w *[features]float32) (s float32) {
	for i := range f {
		s += f[i] * w[i]
	}
	return s
}

// sourcesOf returns the passages that mention the answer, its own first.
func sourcesOf(sc *scratch, top *cand) []messages.Source {
	b := &sc.blocks[sc.sents[top.sent].block]
	out := []messages.Source{{ID: b.passage, Title: b.title}}
	for i := range sc.cands {
		if sc.cands[i].key == top.key && len(out) < 4 {
			b := &sc.blocks[sc.sents[sc.cands[i].sent].block]
			out = messages.AddSources(out, messages.Source{ID: b.passage, Title: b.title})
		}
	}
	return out
}

// tidy takes off marks at the ends that belong to no word.
func tidy(s string) string { return strings.Trim(s, " \t\n,;:\"'`“”()[]") }
