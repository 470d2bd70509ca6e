package builtin

import (
	"context"
	"strings"

	"hopstream/messages"
)

// Revise looks a plan over (MGA-RAG's reviser) and returns it, or a better one:
// without the parts that repeat another, restate the question or are of no
// use, and taken apart otherwise where a part says too little to search for or
// a name of the question got lost on the way (faults.go).
//
// A problem says that the plan led nowhere: then the part that found no answer
// is asked for in fewer words, or described where it was named. Without a
// question that was not asked in vain before there is no better plan, and nil
// is returned. The only error is the context's.
func (e *engine) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion {
		return plan, nil
	}
	if problem != "" {
		return replan(question, plan, e.short(pairs)), nil
	}
	return revise(question, plan), nil
}

// revise returns plan or a better one: what is superfluous is taken out; if
// faults are left, the question is taken apart in other ways, the least
// faulty of which counts.
func revise(question string, plan []string) []string {
	best := without(question, plan)
	left := faultsOf(question, best)
	if left == 0 {
		return best
	}
	for _, parts := range waysOf(question) {
		if n := faultsOf(question, parts); n < left {
			best, left = parts, n
		}
	}
	return best
}

// waysOf returns the plans that question can be parsed into, the deepest
// first; the last is the question itself.
func waysOf(question string) [][]string {
	var out [][]string
	add := func(p plan) {
		if parts := p.parts(question); parts != nil {
			out = append(out, parts)
		}
	}
	p := planOf(question)
	add(p)
	for n := maxSteps - 1; n > 0; n-- {
		if q := parseWords(question); len(q) > 0 && (p.compare || n < len(p.steps)-1) {
			add(nestedWithin(q, n))
		}
	}
	return append(out, []string{question})
}
