package generator_test

import (
	"context"
	"reflect"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/generator"
)

// TestAnsweredByAnotherQuestion holds that what another question found is not
// asked again, and that all else follows from it as from an answer of one's own.
func TestAnsweredByAnotherQuestion(t *testing.T) {
	t.Parallel()
	e := &roles.Set{
		AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
			t.Error("the sub-query is asked again")
			return messages.Finding{}, nil
		},
		EnoughFunc: func(_ context.Context, _ string, pairs []messages.Pair) (bool, error) {
			return pairs[0].Answer != "weak", nil
		},
	}
	pair := func(answer string, confidence float64) *messages.Pair {
		return &messages.Pair{Round: 1, Branch: 1, Question: "whole?", Answer: answer, Confidence: confidence, Shared: "other.2.1",
			Sources: []messages.Source{{ID: "a"}}, Evidence: []messages.Evidence{{ID: "a", Quote: "it is", End: 5}}, Claims: []messages.Claim{{Text: "x"}, {Text: "y"}}}
	}
	ask := func(class messages.Class, p *messages.Pair) messages.Message {
		h := head(class, 1, 1, 1)
		h.Budget = messages.DefaultBudget()
		outs, err := generator.New(e, generator.Options{MinConfidence: 0.5, Escalate: generator.EscalateJudged}).
			Handle(t.Context(), &messages.Generate{Head: h, Query: "whole?", Answered: p})
		if err != nil || len(outs) != 1 {
			t.Fatal(outs, err)
		}
		return outs[0]
	}
	if got := ask(messages.Compound, pair("good", 0.9)).(*messages.Subanswer); !reflect.DeepEqual(&got.Pair, pair("good", 0.9)) {
		t.Errorf("%+v", got.Pair)
	}
	a := ask(messages.Single, pair("good", 0.9)).(*messages.Answer)
	if a.Status != messages.Answered || a.Answer != "good" || a.Confidence != 0.9 || len(a.Evidence) != 1 || len(a.Claims) != 2 || len(a.Citations) != 1 || a.Hops[0].Shared != "other.2.1" {
		t.Errorf("%+v", a)
	}
	if a := ask(messages.Single, pair("good", 0.4)).(*messages.Answer); a.Status != messages.Unanswered || a.Answer != "" || len(a.Evidence) != 1 {
		t.Errorf("not sure enough: %+v", a)
	}
	for _, answer := range []string{"", "weak"} {
		on, ok := ask(messages.Single, pair(answer, 0.9)).(*messages.Decompose)
		if !ok || on.Rerouted != messages.Escalated || on.Round != 2 || len(on.Pairs) != 1 {
			t.Errorf("%q does not go on as complex: %+v", answer, on)
		}
	}
}
