package retriever_test

import (
	"context"
	"errors"
	"slices"
	"strings"
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
		out, err := retriever.New(retriever.Plain(e), retriever.Options{TopK: topK}).Handle(t.Context(), in)
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
	if _, err := retriever.New(retriever.Plain(e), retriever.Options{}).Handle(t.Context(), &messages.Retrieve{}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// watched is a searcher that tells how it went.
type watched struct{ found messages.Found }

func (w watched) Search(context.Context, string, int) (messages.Found, error) { return w.found, nil }

func TestTellsHowItWent(t *testing.T) {
	t.Parallel()
	found := messages.Found{
		Passages: []messages.Passage{{ID: "a", By: []string{"bm25", "links"}}},
		Degraded: append([]string{"web: " + strings.Repeat("x", 10_000)}, make([]string, 100)...),
		Queries:  make([]string, messages.MaxQueries+1),
	}
	out, err := retriever.New(watched{found}, retriever.Options{}).Handle(t.Context(), &messages.Retrieve{Query: "one?"})
	if err != nil {
		t.Fatal(err)
	}
	f := out[0].(*messages.Filter)
	if !slices.Equal(f.Passages[0].By, found.Passages[0].By) {
		t.Errorf("%+v", f.Passages)
	}
	if len(f.Queries) != messages.MaxQueries {
		t.Errorf("%d queries", len(f.Queries))
	}
	if len(f.Degraded) != messages.MaxDegraded || len(f.Degraded[0]) > 200 || !strings.HasPrefix(f.Degraded[0], "web: xxx") {
		t.Errorf("%d reasons, the first of %d bytes", len(f.Degraded), len(f.Degraded[0]))
	}
}

// twice is an index that was emptied during the first search.
type twice struct{ seq uint64 }

func (x *twice) Read(ctx context.Context, seq uint64, search func(context.Context) error) error {
	x.seq = seq
	if err := search(ctx); err != nil {
		return err
	}
	return search(ctx)
}

func TestReadsTheIndex(t *testing.T) {
	t.Parallel()
	n := 0
	e := &scripted.Engine{SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) {
		n++
		return []messages.Passage{{ID: []string{"half", "whole"}[n-1]}}, nil
	}}
	x := &twice{}
	out, err := retriever.New(retriever.Plain(e), retriever.Options{Index: x}).Handle(t.Context(), &messages.Retrieve{Head: messages.Head{Docs: 17}})
	if err != nil {
		t.Fatal(err)
	}
	if got := out[0].(*messages.Filter).Passages; len(got) != 1 || got[0].ID != "whole" || x.seq != 17 {
		t.Errorf("found %+v, read up to %d", got, x.seq)
	}
}
