package builtin

import (
	"context"

	"hopstream/index/lang"
	"hopstream/messages"
)

// Classify says how a question is to be answered (HANRAG's router): a linear
// model over what observe sees, except that what Direct can compute is
// straightforward for certain. Words decide; capitals and the mark at the end
// do not. The only error is the context's.
func (e *Engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return classify(question), nil
}

func classify(question string) messages.Class {
	if len(question) > messages.MaxQuestion {
		question = question[:messages.MaxQuestion]
	}
	if direct(question) != "" {
		return messages.Straightforward
	}
	toks := lang.Tokens(question)
	if len(toks) == 0 {
		return messages.Straightforward
	}
	f := observe(toks)
	scores := score(&f)
	best := 0
	for c := range scores {
		if scores[c] > scores[best] {
			best = c
		}
	}
	return classOrder[best]
}

// classOrder is the order of the columns of classWeights.
var classOrder = [4]messages.Class{messages.Straightforward, messages.Single, messages.Compound, messages.Complex}

func score(f *[classFeatures]bool) (s [4]float32) {
	for i, on := range f {
		if on {
			for c := range s {
				s[c] += classWeights[i][c]
			}
		}
	}
	return s
}
