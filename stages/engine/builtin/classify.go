package builtin

import (
	"context"

	"hopstream/messages"
)

// Classify says how a question is to be answered (HANRAG's router): a linear
// model over traits of the question's build, except that what Direct can
// compute is straightforward for certain. Words decide; capitals, brackets
// and the mark at the end do not. The only error is the context's.
func (e *engine) Classify(ctx context.Context, question string) (messages.Class, error) {
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
	q := routing{}
	if q.read(question); len(q.toks) == 0 {
		return messages.Straightforward
	}
	scores := classModel.score(&q)
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

// classWeight is the weight of a trait for each class, in classOrder.
type classWeight struct {
	trait   string
	classes [4]float32
}

// classScores is a multinomial linear model: a class scores the sum of its weights
// over the traits that a question has.
type classScores struct {
	at      map[uint64]int16 // by a trait's hash
	weights [][4]float32
}

// maxTraits bounds a model, so that the set of traits seen fits on the stack.
const maxTraits = 2048

// classModel is the fitted router.
var classModel = newLinear(classWeights)

func newLinear(rows []classWeight) *classScores {
	m := &classScores{at: make(map[uint64]int16, len(rows))}
	for i := range rows[:min(len(rows), maxTraits)] {
		m.at[traitHash(rows[i].trait)] = int16(i)
		m.weights = append(m.weights, rows[i].classes)
	}
	return m
}

// score returns the logits of the classes. A trait counts once.
func (m *classScores) score(q *routing) (s [4]float32) {
	var seen [maxTraits / 64]uint64
	q.traits(func(t trait) {
		i, ok := m.at[t.hash]
		if !ok || seen[i>>6]>>(i&63)&1 != 0 {
			return
		}
		seen[i>>6] |= 1 << (i & 63)
		for c := range s {
			s[c] += m.weights[i][c]
		}
	})
	return s
}
