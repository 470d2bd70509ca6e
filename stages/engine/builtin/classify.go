package builtin

import (
	"context"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/linear"
)

// Classify says how a question is to be answered (HANRAG's router): a linear
// model over how the question is built and what its plan says, except that what
// Direct can compute is straightforward for certain, and what Split takes apart is
// compound. The only error is the context's.
func (e *engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return ClassOf(e.classes, question), nil
}

// ClassOf returns the class that the weights m give a question.
func ClassOf(m *linear.Model, question string) messages.Class {
	question = clip(question, messages.MaxQuestion)
	if direct(question) != "" {
		return messages.Straightforward
	}
	p := planOf(question)
	if partitioned(&p, question) {
		return messages.Compound
	}
	return classify.Class(m, question, evidenceOf(&p))
}

// Routed returns what the router observes of a question, for each of
// classify.Classes: what a training is given. It is false where a class is known
// without.
func Routed(question string) ([4]linear.Features, bool) {
	question = clip(question, messages.MaxQuestion)
	p := planOf(question)
	if direct(question) != "" || partitioned(&p, question) {
		return [4]linear.Features{}, false
	}
	return classify.Features(question, evidenceOf(&p))
}

// partitioned reports whether a question has several parts, which no comparison joins.
func partitioned(p *plan, question string) bool { return !p.compare && len(split(question)) > 1 }

// evidenceOf is what a question's plan says of it.
func evidenceOf(p *plan) classify.Plan {
	return classify.Plan{Steps: len(p.steps), Compare: p.compare, Named: p.named()}
}
