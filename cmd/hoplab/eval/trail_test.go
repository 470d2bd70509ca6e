package eval

import (
	"testing"

	"hopstream/messages"
)

// TestWindowsOfPassages reads what a sub-query is answered from, as builds with
// spans write it, and as older ones did.
func TestWindowsOfPassages(t *testing.T) {
	t.Parallel()
	head := messages.Head{Round: 1, Branch: 1}
	passages := []messages.Passage{{ID: "a", Title: "A", Text: "One. Two.", Rank: 3}, {ID: "b", Text: "Three."}}
	for name, c := range map[string]struct {
		m    messages.Generate
		want []string
	}{
		"spans":    {messages.Generate{Head: head, Passages: passages, Spans: []messages.Span{{Passage: 0, From: 5, To: 9}, {Passage: 7}, {Passage: 1, To: 99}}}, []string{"a Two.", "b Three."}},
		"passages": {messages.Generate{Head: head, Passages: passages}, []string{"a One. Two.", "b Three."}},
		"windows":  {messages.Generate{Head: head, Windows: []messages.Window{{Passage: "c", Text: "Four."}}}, []string{"c Four."}},
	} {
		tr := tracing{filtered: map[branch]bool{}, aligned: map[branch]bool{}}
		tr.add(&c.m)
		if len(tr.windows) != len(c.want) {
			t.Fatalf("%s: %+v", name, tr.windows)
		}
		for i, w := range tr.windows {
			if got := w.Passage + " " + w.Text; got != c.want[i] {
				t.Errorf("%s: %q, want %q", name, got, c.want[i])
			}
		}
		if len(tr.kept) == 0 || len(tr.retrieved) != len(tr.kept) {
			t.Errorf("%s: kept %+v of %+v", name, tr.kept, tr.retrieved)
		}
	}
	tr := tracing{filtered: map[branch]bool{}, aligned: map[branch]bool{}}
	tr.add(&messages.Generate{Head: head, Passages: passages})
	if tr.retrieved[0].Rank != 3 || tr.retrieved[1].Rank != 2 || passages[1].Rank != 0 {
		t.Errorf("ranks %+v, and the message's own %+v", tr.retrieved, passages)
	}
}
