package builtin

import (
	"context"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/calculate"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/plan"
	"hopstream/stages/engine/builtin/weights"
)

// Direct answers what can be computed from the question alone (see package calculate);
// of every other question Text is empty. The only error is the context's.
func (e *engine) Direct(ctx context.Context, question string) (messages.Finding, error) {
	if err := ctx.Err(); err != nil {
		return messages.Finding{}, err
	}
	if text := calculate.Answer(question); text != "" {
		return messages.Finding{Text: text, Confidence: 1}, nil
	}
	return messages.Finding{}, nil
}

// Classify says how a question is to be answered (HANRAG's router): a linear
// model over how the question is built and what its plan says, except that what
// Direct can compute is straightforward for certain, and what Split takes apart is
// compound. The only error is the context's.
func (e *engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return classOf(e.classes, e.plans, question), nil
}

func classOf(m *linear.Model, l *plan.Planner, question string) messages.Class {
	question = clip(question, messages.MaxQuestion)
	if calculate.Answer(question) != "" {
		return messages.Straightforward
	}
	p := l.Of(question)
	if partitioned(p) {
		return messages.Compound
	}
	return classify.Class(m, question, evidenceOf(p))
}

// ClassOf returns the class that weights give a question.
func ClassOf(w *weights.Set, question string) messages.Class {
	return classOf(w.Classes, plan.New(w.Nests), question)
}

// Routed returns what the router observes of a question, for each of
// classify.Classes: what a training is given. It is false where a class is known
// without.
func Routed(l *plan.Planner, question string) ([4]linear.Features, bool) {
	question = clip(question, messages.MaxQuestion)
	p := l.Of(question)
	if calculate.Answer(question) != "" || partitioned(p) {
		return [4]linear.Features{}, false
	}
	return classify.Features(question, evidenceOf(p))
}

// partitioned reports whether a question has several parts, which no comparison joins.
func partitioned(p *plan.Plan) bool { return !p.Compare && len(plan.Split(p.Question)) > 1 }

// evidenceOf is what a question's plan says of it.
func evidenceOf(p *plan.Plan) classify.Plan {
	return classify.Plan{Steps: p.Steps(), Compare: p.Compare, Named: p.Named()}
}
