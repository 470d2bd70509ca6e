package model

import (
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
	from := strings.LastIndex(whole.String(), text)
	if from < 0 { // escapes, or spaces that were folded: take the whole reply
		from, text = 0, whole.String()
	}
	sum, n, at := 0.0, 0, 0
	for _, t := range r.Tokens {
		if at < from+len(text) && at+len(t.Text) > from {
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
