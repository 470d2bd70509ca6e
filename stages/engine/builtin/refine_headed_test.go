package builtin

import (
	"slices"
	"testing"
)

// TestNounBehindTheName belongs to the name, and a verb does not.
func TestNounBehindTheName(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"Where was the designer of the Marrow ferry born?":            {"Who is the designer of the Marrow ferry?", "Where was $1 born?"},
		"Where was the founder of the Ford company born?":             {"Who is the founder of the Ford company?", "Where was $1 born?"},
		"When did the director of the Titanic die?":                   {"Who is the director of the Titanic?", "When did $1 die?"},
		"Where did the king of the Franks reside?":                    {"Who is the king of the Franks?", "Where did $1 reside?"},
		"Who is the captain of the Marrow ferry?":                     {"Who is the captain of the Marrow ferry?"},
		"Where was the composer of the Brandenburg Concertos buried?": {"Who is the composer of the Brandenburg Concertos?", "Where was $1 buried?"},
	} {
		got, err := New(Options{}).Plan(t.Context(), question)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q (%v)", question, got, want, err)
		}
	}
}
