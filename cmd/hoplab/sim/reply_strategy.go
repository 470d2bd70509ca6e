package sim

import (
	"context"
	"slices"

	"hopstream/messages"
)

// subQuestions is the reply that plans.
type subQuestions struct {
	Questions []string `json:"questions"`
}

// queries is the reply that supplements.
type queries struct {
	Queries []string `json:"queries"`
}

// pursuing is reply for the prompts that pursue complex questions; ok is false
// for the others.
func (s *Server) pursuing(ctx context.Context, p *prompt) (object any, confidence float64, ok bool, err error) {
	e, d := s.opts.Engine, &p.data
	q := d.Question
	switch p.role {
	case "planner":
		parts, err := e.Plan(ctx, q)
		if len(parts) == 0 {
			parts = []string{q}
		}
		return subQuestions{parts}, sure, true, err
	case "reviser":
		parts, err := e.Revise(ctx, q, d.Plan, nil, "")
		if slices.Equal(parts, d.Plan) {
			parts = nil
		}
		return subQuestions{listOf(parts)}, sure, true, err
	case "repair":
		parts, err := e.Revise(ctx, q, d.Plan, pairs(d.Pairs), d.Problem)
		return subQuestions{listOf(parts)}, sure, true, err
	case "supplementer":
		missing, err := e.Supplement(ctx, q, pairs(d.Pairs))
		if len(missing) == 0 && len(d.Pairs) == 0 {
			missing = []string{q}
		}
		return queries{listOf(missing)}, sure, true, err
	case "summariser":
		f, err := e.Summarise(ctx, q, windows(d.Passages))
		return struct {
			Passages []int  `json:"passages"`
			Summary  string `json:"summary"`
		}{numbers(f.Text, f.Sources), f.Text}, confident(f), true, err
	case "equivalence":
		same, err := e.Equivalent(ctx, q, d.Prediction, d.Answers)
		return struct {
			Same bool `json:"same"`
		}{same}, sure, true, err
	}
	return nil, 0, false, nil
}

// listOf is a list that is not nil, so that none is [].
func listOf(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// answered is the reply that answers from passages.
type answered struct {
	Passages []int      `json:"passages"`
	Answer   string     `json:"answer"`
	Items    []answered `json:"items,omitempty"`
}

// fromPassages is a finding as a reply; a list has its items.
func fromPassages(f *messages.Finding) answered {
	if len(f.Claims) < 2 {
		return answered{Passages: numbers(f.Text, f.Sources), Answer: f.Text}
	}
	out := answered{Passages: []int{}}
	for _, c := range f.Claims {
		out.Items = append(out.Items, answered{Passages: numbers(c.Text, c.Citations), Answer: c.Text})
	}
	return out
}
