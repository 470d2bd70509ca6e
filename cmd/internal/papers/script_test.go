package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
)

// The questions that are asked. A question's first word says what it is like.
const (
	straightforward = "straightforward things?"
	single          = "single things?"
	compound        = "compound things?" // has the parts first and second
	complexOne      = "complex things?"  // takes hop 1, and then hop 2
	known           = "known things?"    // complex, but there is nothing to look up
	vague           = "vague things?"    // single, and no passage is relevant
	stuck           = "stuck things?"    // complex; its second hop is not answered
)

const (
	first  = "first things?"
	second = "second things?"
	hop1   = "hop 1 things?"
	hop2   = "hop 2 things?"
	lost   = "lost things?" // which nobody answers
)

// script is the model.
func script(c *calls) *roles.Set {
	answer := func(_ context.Context, q string, ws []messages.Window) (messages.Finding, error) {
		if q == lost || len(ws) == 0 {
			return messages.Finding{}, nil
		}
		quote, _, _ := strings.Cut(ws[0].Text, ",")
		text := "Ann"
		longest := slices.MaxFunc(ws, func(a, b messages.Window) int { return cmp.Compare(len(a.Text), len(b.Text)) })
		switch n := len(longest.Text); { // windows: each scale says it in another way, so that there is something to fuse
		case n > 250 && n <= 350:
			text = "Ann did things"
		case n > 150 && n <= 250:
			text = "Ann did"
		}
		return messages.Finding{Text: text, Confidence: 0.9, Sources: []messages.Source{{ID: "1"}}, Evidence: []messages.Evidence{{ID: "1", Quote: quote}}}, nil
	}
	plans := map[string][]string{
		compound:   {first, second},
		complexOne: {hop1, "hop 2 of $1 things?"},
		stuck:      {hop1, lost, "hop 3 of $2 things?"},
	}
	return &roles.Set{
		ClassifyFunc: func(_ context.Context, q string) (messages.Class, error) {
			switch word := strings.Fields(q)[0]; word {
			case "known", "stuck":
				return messages.Complex, nil
			case "vague":
				return messages.Single, nil
			default:
				return messages.Class(word), nil
			}
		},
		SplitFunc: func(context.Context, string) ([]string, error) { return []string{first, second}, nil },
		RefineFunc: func(_ context.Context, _ string, pairs []messages.Pair) (string, error) {
			return fmt.Sprintf("hop %d things?", len(pairs)+1), nil
		},
		EnoughFunc: func(_ context.Context, q string, pairs []messages.Pair) (bool, error) {
			return q == known || len(pairs) >= 2, nil
		},
		PlanFunc: func(_ context.Context, q string) ([]string, error) {
			if plan := plans[q]; plan != nil {
				return plan, nil
			}
			return []string{q}, nil
		},
		AtomiseFunc: func(_ context.Context, q string) ([]string, error) {
			switch q {
			case compound:
				return []string{first, second}, nil
			case complexOne:
				return []string{hop1}, nil
			}
			return []string{q}, nil
		},
		SupplementFunc: func(context.Context, string, []messages.Pair) ([]string, error) { return []string{hop2}, nil },
		CompleteFunc: func(_ context.Context, q string, pairs []messages.Pair) (bool, error) {
			return q != complexOne || len(pairs) >= 2, nil
		},
		KeywordsFunc: func(_ context.Context, q string) ([]string, error) { return []string{q}, nil },
		HypothesiseFunc: func(context.Context, string) ([]string, error) {
			return []string{"Ann did things", "Bo did things"}, nil
		},
		StatementsFunc: func(_ context.Context, _ string, answers []string) ([]string, error) {
			return []string{"Ann did things.", "Bo did things."}, nil
		},
		RelevantFunc: func(_ context.Context, q string, passages []messages.Passage) ([]bool, error) {
			out := make([]bool, len(passages))
			for i := range out {
				out[i] = q != vague
			}
			return out, nil
		},
		FuseFunc: func(_ context.Context, _ string, findings []messages.Finding, _ []messages.Passage) (messages.Finding, error) {
			return messages.Finding{Text: findings[0].Text, Confidence: 0.9, Sources: []messages.Source{{ID: "1"}}}, nil
		},
		EmbedFunc:     c.embed,
		AnswerFunc:    answer,
		SummariseFunc: answer,
		SynthesizeFunc: func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
			return messages.Finding{Text: "Ann", Confidence: 0.9, Sources: []messages.Source{{ID: "1"}}}, nil
		},
		DirectFunc: func(context.Context, string) (messages.Finding, error) {
			return messages.Finding{Text: "Ann", Confidence: 0.9}, nil
		},
	}
}
