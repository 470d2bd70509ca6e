// Package router decides how a question is to be answered: HANRAG's four
// classes. It writes one message: a straightforward question goes to the
// generator, a single one to the retriever, a compound or complex one to the
// decomposer.
package router

import (
	"cmp"
	"context"
	"fmt"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Classifier tells a question's class.
type Classifier interface {
	Classify(ctx context.Context, question string) (messages.Class, error)
}

// Options adjust the router.
type Options struct {
	// Force routes every question as one class, unless it came with its own;
	// empty means: ask the classifier.
	Force messages.Class
	// Strategy pursues complex questions that came without one of their own.
	Strategy messages.Strategy
}

// Router is the stage.
type Router struct {
	classify Classifier
	opts     Options
}

// New returns the stage.
func New(c Classifier, o Options) *Router { return &Router{c, o} }

// Handle routes one question.
func (r *Router) Handle(ctx context.Context, q *messages.Question) ([]messages.Message, error) {
	head := *q.Meta()
	head.Class = cmp.Or(head.Class, r.opts.Force)
	if head.Strategy == "" && r.opts.Strategy != messages.Refine { // refine is meant where none is said
		head.Strategy = r.opts.Strategy
	}
	if head.Class == "" {
		class, err := r.classify.Classify(ctx, q.Question)
		if err != nil {
			return nil, fmt.Errorf("classify: %w", err)
		}
		head.Class = class
	}
	switch head.Class {
	case messages.Straightforward:
		return []messages.Message{&messages.Generate{Head: head}}, nil
	case messages.Single:
		return []messages.Message{messages.FirstRetrieve(head)}, nil
	case messages.Compound, messages.Complex:
		head.Round = 1
		return []messages.Message{&messages.Decompose{Head: head}}, nil
	}
	return nil, fault.Permanentf("classifier answered %q, which is no class", head.Class)
}
