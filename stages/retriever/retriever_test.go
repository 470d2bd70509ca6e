package retriever_test

import (
	"context"
	"errors"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/retriever"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	for topK, want := range map[int]int{0: 10, 7: 7} {
		e := &scripted.Engine{SearchFunc: func(_ context.Context, query string, k int) ([]messages.Passage, error) {
			if query != "one?" || k != want {
				t.Errorf("searched for %d of %q", k, query)
			}
			return []messages.Passage{{ID: "a"}, {ID: "b"}}, nil
		}}
		in := &messages.Retrieve{Head: messages.Head{ID: "q", Round: 2, Branch: 3, Branches: 3}, Query: "one?"}
		out, err := retriever.New(e, retriever.Options{TopK: topK}).Handle(t.Context(), in)
		if err != nil || len(out) != 1 {
			t.Fatal(out, err)
		}
		f := out[0].(*messages.Filter)
		if f.Key() != in.Key() || f.Query != "one?" || len(f.Passages) != 2 {
			t.Errorf("%+v", f)
		}
	}
}

func TestSearchFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	e := &scripted.Engine{SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) { return nil, broken }}
	if _, err := retriever.New(e, retriever.Options{}).Handle(t.Context(), &messages.Retrieve{}); !errors.Is(err, broken) {
		t.Error(err)
	}
}
