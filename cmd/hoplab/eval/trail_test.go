package eval

import (
	"context"
	"slices"
	"testing"

	"hopstream/cmd/hoplab/dataset"
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

// TestSoughtInPlace holds that the queries whose entropy is measured are those
// that were searched for in a sub-query's place, where there are any, and that the
// sub-queries are still counted as such.
func TestSoughtInPlace(t *testing.T) {
	t.Parallel()
	head := func(branch int) messages.Head { return messages.Head{Round: 1, Branch: branch} }
	passages := []messages.Passage{{ID: "a", Rank: 1}}
	tr := tracing{filtered: map[branch]bool{}, aligned: map[branch]bool{}}
	tr.add(&messages.Filter{Head: head(1), Query: "who?", Queries: []string{"Orla did.", "Venn did."}, Passages: passages})
	tr.add(&messages.Filter{Head: head(2), Query: "when?", Passages: passages})
	tr.add(&messages.Align{Head: head(1), Query: "who?", Queries: []string{"Orla did.", "Venn did."}, Passages: passages})
	tr.add(&messages.Align{Head: head(3), Query: "where?", Queries: []string{"In Tarn."}, Passages: passages})
	tr.add(&messages.Generate{Head: head(4), Query: "why?", Queries: []string{"Because."}, Passages: passages})
	if want := []string{"who?", "when?", "where?", "why?"}; !slices.Equal(tr.queries, want) {
		t.Errorf("sub-queries %q, want %q", tr.queries, want)
	}
	want := []string{"Orla did.", "Venn did.", "when?", "In Tarn.", "Because."}
	if !slices.Equal(tr.sought, want) {
		t.Errorf("sought %q, want %q", tr.sought, want)
	}
	e := &embedded{}
	r, err := scorer{embed: e}.score(t.Context(), &dataset.Question{ID: "q"}, &messages.Answer{ID: "q"}, tr.trail)
	if err != nil || !slices.Equal(e.texts, want) || r.HMix == nil || r.Queries != 4 {
		t.Errorf("embedded %q, %+v, %v", e.texts, r, err)
	}
}

// embedded notes the texts that it embeds.
type embedded struct{ texts []string }

func (e *embedded) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.texts = texts
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, float32(i)}
	}
	return out, nil
}
