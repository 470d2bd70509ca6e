package messages_test

import (
	"testing"

	"hopstream/messages"
)

func TestSplitPart(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"a#0+5": "a", "a/b c.txt#120+60": "a/b c.txt", "a#1#0+5": "a#1"} {
		doc, first, room := messages.SplitPart(id)
		if doc != want || messages.PartID(doc, first, room) != id {
			t.Errorf("%s: %s %d %d", id, doc, first, room)
		}
	}
	for _, id := range []string{"", "a", "a#1", "#0+5", "a#0+0", "a#-1+5", "a#01+5", "a#0+5x", "a+5#0", "a#99999999999+5"} {
		if doc, first, _ := messages.SplitPart(id); doc != id || first != -1 {
			t.Errorf("%s is taken for part %d of %s", id, first, doc)
		}
	}
}

// TestPartSubject holds that the parts of a document are found by its subject.
func TestPartSubject(t *testing.T) {
	t.Parallel()
	n := messages.DefaultNames()
	part := &messages.Document{ID: messages.PartID("a b.txt", 0, 60)}
	subject := n.Of(part)
	if subject != "hop.v1.document.a%20b%2Etxt.1.60" {
		t.Errorf("%s", subject)
	}
	kind, key, err := n.Parse(subject)
	if err != nil || kind != messages.KindDocument || messages.DocumentID(key) != part.ID || messages.DocumentID(messages.Key{ID: "x"}) != "x" {
		t.Errorf("%s %+v %v", kind, key, err)
	}
}
