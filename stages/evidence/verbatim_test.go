package evidence_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/links"
	"hopstream/index/testkit/publictest"
	"hopstream/messages"
	"hopstream/stages/aligner"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/generator"
)

// full asks every question of the public sets; otherwise one of sixteen.
var full = flag.Bool("full", false, "check the quotes of every question of the public sets")

// TestVerbatim answers the questions of every public set that has a corpus, and
// wants every quote to stand in the passage it names, exactly where it says. One
// answer of 500 may have none: the option of a question that asks to choose,
// where no passage has it as the question says it.
func TestVerbatim(t *testing.T) {
	t.Parallel()
	sets, err := filepath.Glob(filepath.Join(publictest.Dir(t), "*", "corpus.jsonl"))
	if err != nil || len(sets) < 6 {
		t.Fatalf("%d sets: %v", len(sets), err)
	}
	answers, quotes, without := 0, 0, 0
	for _, path := range sets {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "questions.jsonl")); err != nil {
			continue
		}
		a, q, w := verbatim(t, filepath.Base(filepath.Dir(path)))
		answers, quotes, without = answers+a, quotes+q, without+w
	}
	t.Logf("%d answers, %d without evidence, %d quotes", answers, without, quotes)
	if answers < 50 || 500*without > answers+500 {
		t.Errorf("%d answers, %d of them without evidence", answers, without)
	}
}

func verbatim(t *testing.T, set string) (answers, quotes, without int) {
	t.Helper()
	docs := publictest.Documents(t, set)
	store, err := links.Open("", links.Options{Chunk: document.ChunkOptions{Size: 600, Overlap: 100}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Apply(t.Context(), docs, index.Position{Stream: "s", Sequence: 1}); err != nil {
		t.Fatal(err)
	}
	engine := builtin.New(builtin.Options{Keep: 3})
	align, generate := aligner.New(engine, aligner.Options{}), generator.New(engine, generator.Options{Escalate: generator.EscalateNever})
	step := 16
	switch {
	case *full:
		step = 1
	case testing.Short():
		step = 200
	}
	for i, q := range publictest.Texts(t, set) {
		if i%step != 0 {
			continue
		}
		found, err := store.Search(t.Context(), q, 4)
		if err != nil {
			t.Fatal(err)
		}
		head := messages.Head{ID: "q", Round: 1, Branch: 1, Branches: 1, Class: messages.Single, Question: q}
		aligned, err := align.Handle(t.Context(), &messages.Align{Head: head, Query: q, Passages: found})
		if err != nil {
			t.Fatal(err)
		}
		out, err := generate.Handle(t.Context(), aligned[0].(*messages.Generate))
		if err != nil {
			t.Fatal(err)
		}
		a := out[0].(*messages.Answer)
		if a.Status != messages.Answered {
			continue
		}
		answers++
		if len(a.Evidence) == 0 {
			t.Logf("%s: %q: %q has no evidence", set, q, a.Answer)
			without++
		}
		all := append(a.Evidence, a.Hops[0].Evidence...)
		for _, c := range a.Claims {
			all = append(all, c.Evidence...)
		}
		quotes += len(all)
		for _, e := range all {
			checkVerbatim(t, found, e)
		}
	}
	return answers, quotes, without
}
