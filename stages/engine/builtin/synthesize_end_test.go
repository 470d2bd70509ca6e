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

// TestWeighed holds that a comparison is resolved by what its plan's two sides led
// to, whatever its words.
func TestWeighed(t *testing.T) {
	t.Parallel()
	pair := func(question, answer, title string) messages.Pair {
		return messages.Pair{Question: question, Answer: answer, Confidence: 1, Sources: []messages.Source{{ID: title, Title: title}}}
	}
	e := New(Options{})
	for _, c := range []struct {
		question, want string
		pairs          []messages.Pair
	}{
		{"Lower Brandt, North Holm and Kyrkjebo – same country?", "no", []messages.Pair{
			pair("Which country is Lower Brandt, North Holm from?", "Norway", "Lower Brandt"),
			pair("Which country is Kyrkjebo from?", "Sweden", "Kyrkjebo")}},
		{"Holm and Kyrkjebo: is each of them a flowering plant?", "yes", []messages.Pair{
			pair("Is Holm a flowering plant?", "yes", "Holm"), pair("Is Kyrkjebo a flowering plant?", "yes", "Kyrkjebo")}},
		{"Are Holm and Kyrkjebo both plants?", "no", []messages.Pair{
			pair("Is Holm plants?", "yes", "Holm"), pair("Is Kyrkjebo plants?", "no", "Kyrkjebo")}},
		{"Out of Ulla Brandt and Jens Holm, which one outlived the other?", "Jens Holm", []messages.Pair{
			pair("When did Ulla Brandt die?", "3 May 1950", "Ulla Brandt"), pair("When did Jens Holm die?", "1 June 1951", "Jens Holm")}},
		{"Who had the longer life, Ulla Brandt or Jens Holm?", "Ulla Brandt", []messages.Pair{
			pair("When was Ulla Brandt born?", "3 May 1850", "Ulla Brandt"), pair("When did Ulla Brandt die?", "3 May 1950", "Ulla Brandt"),
			pair("When was Jens Holm born?", "1 June 1901", "Jens Holm"), pair("When did Jens Holm die?", "1 June 1951", "Jens Holm")}},
		{"Is Jens Holm older than Ulla Brandt?", "no", []messages.Pair{
			pair("When was Jens Holm born?", "1901", "Jens Holm"), pair("When was Ulla Brandt born?", "1850", "Ulla Brandt")}},
		// a name that grammar cut short is whole where the passage's title says so
		{"Of In the Grey Harbour and Long Mile, which was made by the younger director?", "In the Grey Harbour", []messages.Pair{
			pair("Who is the director of Grey Harbour?", "Jens Holm", "In the Grey Harbour (film)"), pair("When was Jens Holm born?", "1 June 1901", "Jens Holm"),
			pair("Who is the director of Long Mile?", "Ulla Brandt", "Long Mile"), pair("When was Ulla Brandt born?", "3 May 1850", "Ulla Brandt")}},
	} {
		f, err := e.Synthesize(t.Context(), c.question, messages.Complex, c.pairs)
		if err != nil || f.Text != c.want {
			t.Errorf("%s\n got  %q, %v\n want %q", c.question, f.Text, err, c.want)
		}
	}
}
