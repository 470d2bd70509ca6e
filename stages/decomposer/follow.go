package decomposer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
)

// follow asks every part of the plan that can be asked now, so that branches
// that need nothing of each other run in parallel; the first time, it makes
// the plan. It reports false where the plan leads no further: then it was
// planned anew once, and is to be given up.
func (d *Decomposer) follow(ctx context.Context, out *messages.Plan) (bool, error) {
	problem := ""
	if len(out.Parts) == 0 {
		parts, err := d.first(ctx, out)
		if err != nil {
			return false, err
		}
		if len(parts) == 1 && asked(&out.Head, parts[0]) {
			return false, nil // nothing new
		}
		if problem = flaw(parts, out.Question); problem == "" {
			out.Parts = parts
		} else if out.Repaired || d.opts.NoReviser {
			return false, nil
		} else if parts, err = d.repair(ctx, out, parts, problem); err != nil || parts == nil {
			return false, err
		}
	}
	if ready(out) {
		return true, nil
	}
	if out.Repaired || d.opts.NoReviser {
		return false, nil
	}
	parts, err := d.repair(ctx, out, out.Parts, stalled(&out.Head))
	return parts != nil && ready(out), err
}

// first makes a plan and has it looked over.
func (d *Decomposer) first(ctx context.Context, out *messages.Plan) ([]string, error) {
	parts, err := d.engine.Plan(ctx, out.Question)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	parts = trimmed(parts)
	if d.opts.NoReviser || len(parts) == 0 {
		return parts, nil
	}
	if parts, err = d.engine.Revise(ctx, out.Question, parts, out.Pairs, ""); err != nil {
		return nil, fmt.Errorf("revise: %w", err)
	}
	return trimmed(parts), nil
}

// repair has a plan that cannot be followed planned anew, once for a question.
// Parts that stay as they were, from the first on, keep their answers. Without
// a sound plan it returns nothing.
func (d *Decomposer) repair(ctx context.Context, out *messages.Plan, plan []string, problem string) ([]string, error) {
	out.Repaired = true
	parts, err := d.engine.Revise(ctx, out.Question, plan, out.Pairs, problem)
	if err != nil {
		return nil, fmt.Errorf("revise: %w", err)
	}
	parts = trimmed(parts)
	if flaw(parts, out.Question) != "" {
		return nil, nil
	}
	same := 0
	for same < min(len(parts), len(out.Parts)) && parts[same] == out.Parts[same] {
		same++
	}
	out.Pairs = slices.Clone(out.Pairs)
	for i := range out.Pairs {
		if p := &out.Pairs[i]; p.Part > same || p.Open() {
			p.Part = 0
		}
	}
	out.Parts = parts
	return parts, nil
}

// ready puts every part that was not asked yet, and whose placeholders all
// have answers, into the round; it reports whether there is any.
func ready(out *messages.Plan) bool {
	out.Queries, out.Answers = nil, nil
	for i, part := range out.Parts {
		if len(out.Queries) == out.Budget.Branches {
			break
		}
		if out.PartPair(i+1) != nil {
			continue
		}
		if query, ok := bind(part, &out.Head); ok {
			out.Queries = append(out.Queries, query)
			out.Answers = append(out.Answers, i+1)
		}
	}
	return len(out.Queries) > 0
}

// giveUp forgets the plan: the question is pursued by refining.
func giveUp(h *messages.Head) {
	h.Strategy, h.Parts = messages.Refine, nil
	h.Pairs = slices.Clone(h.Pairs)
	for i := range h.Pairs {
		h.Pairs[i].Part = 0
	}
}

// stalled says which parts found no answer, in words for who plans anew.
func stalled(h *messages.Head) string {
	var open []string
	for i := range h.Parts {
		if p := h.PartPair(i + 1); p != nil && p.Open() {
			open = append(open, fmt.Sprintf("sub-question %d found no answer", i+1))
		}
	}
	if len(open) == 0 {
		return "no sub-question can be asked"
	}
	return strings.Join(open, "; ")
}

// trimmed drops white space and empty parts.
func trimmed(parts []string) []string {
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
