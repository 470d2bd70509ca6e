package render

import (
	"errors"
	"strings"
	"testing"

	"hopstream/messages"
)

// TestGivenUpIsShown holds that what was done without for the question as a whole
// stands in the line of JSON and below the hops.
func TestGivenUpIsShown(t *testing.T) {
	t.Parallel()
	const given = "synthesis: no time left"
	a := &messages.Answer{ID: "q", Status: messages.Partial, GaveUp: []string{given}}
	var line, tree strings.Builder
	if err := errors.Join(JSON(&line, a, false), View{Tree: true}.Answer(&tree, a)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(line.String(), `"gave_up":["`+given+`"]`) || !strings.Contains(tree.String(), "\n! "+given+"\n") {
		t.Errorf("%s\n%s", line.String(), tree.String())
	}
}
