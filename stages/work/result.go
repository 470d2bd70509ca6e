package work

import (
	"context"
	"errors"
	"slices"

	"hopstream/messages"
	"hopstream/stages/log"
)

// state says how far the work on a claimed sub-query is.
type state int

const (
	open    state = iota // nothing is stored yet
	useful               // its result is there
	useless              // it came to nothing that another question could use
)

// result looks in the log for what became of a claimed sub-query.
func (c *Claims) result(ctx context.Context, of *claim) (*Taken, state, error) {
	if of.Single {
		return c.single(ctx, of)
	}
	sub, err := log.Find[*messages.Subanswer](ctx, c.log, messages.KindSubanswer, messages.Key{ID: of.ID, Round: of.Round, Branch: of.Branch})
	if err == nil {
		return used(&sub.Pair, sub.Trace)
	}
	if !errors.Is(err, log.ErrNotFound) {
		return nil, open, err
	}
	if _, err := c.log.Answer(ctx, of.ID); err == nil {
		return nil, useless, nil // it ended without
	} else if !errors.Is(err, log.ErrNotFound) {
		return nil, open, err
	}
	return nil, open, nil
}

// single is result of a single question: its sub-query is answered by its answer,
// or, if that did not suffice, by what it went on with.
func (c *Claims) single(ctx context.Context, of *claim) (*Taken, state, error) {
	a, err := c.log.Answer(ctx, of.ID)
	switch {
	case errors.Is(err, log.ErrNotFound):
	case err != nil:
		return nil, open, err
	case a.Rerouted != messages.Escalated:
		p := pairOf(a, of)
		if p == nil {
			return nil, useless, nil
		}
		return used(p, a.Trace)
	}
	on, err := log.Find[*messages.Decompose](ctx, c.log, messages.KindDecompose, messages.Key{ID: of.ID, Round: of.Round + 1})
	switch {
	case errors.Is(err, log.ErrNotFound) && a != nil:
		return nil, useless, nil
	case errors.Is(err, log.ErrNotFound):
		return nil, open, nil
	case err != nil:
		return nil, open, err
	}
	i := slices.IndexFunc(on.Pairs, func(p messages.Pair) bool { return p.Round == of.Round && p.Branch == of.Branch })
	if i < 0 || len(on.GaveUp) > 0 {
		return nil, useless, nil
	}
	return used(&on.Pairs[i], on.Trace)
}

// used returns a pair that another question may use. One that failed, or that did
// without something for want of time, may come out better.
func used(p *messages.Pair, trace string) (*Taken, state, error) {
	if p.Failed || messages.OutOfTime(p.Degraded) != "" {
		return nil, useless, nil
	}
	return &Taken{Pair: *p, Trace: trace}, useful, nil
}

// pairOf returns the pair that a single question's answer was made of; nil where
// the answer does not tell all of it.
func pairOf(a *messages.Answer, of *claim) *messages.Pair {
	i := slices.IndexFunc(a.Hops, func(h messages.Hop) bool { return h.Round == of.Round && h.Branch == of.Branch })
	given := a.Status == messages.Answered
	if i < 0 || len(a.GaveUp) > 0 || !given && a.Status != messages.Unanswered {
		return nil
	}
	h := &a.Hops[i]
	if given != (h.Answer != "") {
		return nil // not sure enough: its claims are left out
	}
	p := &messages.Pair{
		Round: h.Round, Branch: h.Branch, Question: h.Question, Answer: h.Answer, Confidence: h.Confidence,
		Error: h.Error, Found: h.Found, Degraded: h.Degraded, Queries: h.Queries, Claims: a.Claims,
	}
	if given {
		p.Evidence = a.Evidence
	}
	for _, id := range h.Passages {
		source := messages.Source{ID: id}
		if at := slices.IndexFunc(a.Citations, func(s messages.Source) bool { return s.ID == id }); at >= 0 {
			source = a.Citations[at]
		}
		p.Sources = append(p.Sources, source)
	}
	return p
}
