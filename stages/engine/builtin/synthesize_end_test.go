package builtin

import (
	"testing"

	"hopstream/messages"
)

// TestAnswerIsTheLastStepsOwn holds that what was asked after the question was
// answered does not become its answer.
func TestAnswerIsTheLastStepsOwn(t *testing.T) {
	t.Parallel()
	const question = "What is the capital of the country where Albert Einstein was born?"
	e := New(Options{})
	steps, err := e.Plan(t.Context(), question)
	if err != nil || len(steps) != 2 {
		t.Fatal(steps, err)
	}
	pairs := []messages.Pair{
		{Round: 1, Branch: 1, Question: steps[0], Answer: "Germany", Confidence: 1},
		{Round: 2, Branch: 1, Question: "What is the capital of Germany?", Answer: "Berlin", Confidence: 1},
		{Round: 3, Branch: 1, Question: question, Answer: "Ulm", Confidence: 1},
	}
	f, err := e.Synthesize(t.Context(), question, messages.Complex, pairs)
	if err != nil || f.Text != "Berlin" {
		t.Errorf("%+v, %v", f, err)
	}
	// As long as its last step is open, the last that was answered counts.
	pairs[1].Answer = ""
	if f, err = e.Synthesize(t.Context(), question, messages.Complex, pairs); err != nil || f.Text != "Ulm" {
		t.Errorf("%+v, %v", f, err)
	}
}
