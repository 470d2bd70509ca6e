package model

import (
	"encoding/json"
	"math"
	"strings"
)

// Untold is the confidence of an answer whose server gives no log
// probabilities.
const Untold = 0.5

// Confidence is how sure the model was of a text in its reply: the geometric
// mean of the probabilities of the tokens that spell it, or Untold where the
// server does not tell.
func (r *Reply) Confidence(text string) float64 {
	if len(r.Tokens) == 0 || text == "" {
		return Untold
	}
	var whole strings.Builder
	for _, t := range r.Tokens {
		whole.WriteString(t.Text)
	}
	from, length := spelled(whole.String(), text)
	sum, n, at := 0.0, 0, 0
	for _, t := range r.Tokens {
		if at < from+length && at+len(t.Text) > from {
			sum += t.Logprob
			n++
		}
		at += len(t.Text)
	}
	if n == 0 || math.IsNaN(sum) {
		return Untold
	}
	return min(1, math.Exp(sum/float64(n)))
}

// spelled returns where the last JSON string of that text stands in a reply,
// else the text itself: a reply may quote the words, or hold the number, that
// are the answer elsewhere. A text that is not to be found, since white space
// was folded, is the whole reply.
func spelled(reply, text string) (from, length int) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) == nil {
		written := strings.TrimSpace(b.String())
		if from = strings.LastIndex(reply, written); from >= 0 {
			return from + 1, len(written) - 2
		}
	}
	if from = strings.LastIndex(reply, text); from >= 0 {
		return from, len(text)
	}
	return 0, len(reply)
}
