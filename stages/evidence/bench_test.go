package evidence_test

import (
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/evidence"
)

// BenchmarkAnswer is what evidence costs a sub-query of three long passages:
// once to align, once to support an answer.
func BenchmarkAnswer(b *testing.B) {
	var ps []messages.Passage
	for _, name := range []string{"Greta Olsen", "Jon Berg", "Ada Lund"} {
		ps = append(ps, messages.Passage{ID: name, Title: name, Text: strings.Repeat("The harbour of the island lies to the north of the town and is open all year. ", 18) + name + " is the captain of the ferry."})
	}
	f := messages.Finding{Text: "Jon Berg"}
	b.ReportAllocs()
	for b.Loop() {
		spans := evidence.Align("Who is the captain of the Marrow ferry?", ps, evidence.Scales(), 4)
		if len(evidence.Support("Who is the captain of the Marrow ferry?", &f, ps, spans)) == 0 {
			b.Fatal("nothing")
		}
	}
}
