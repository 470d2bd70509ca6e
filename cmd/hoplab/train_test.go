package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/stages/engine/builtin/weights"
)

// TestTrain fits weights on a small set and on questions over documents, and
// reads them back; fitted again, they are the same.
func TestTrain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	var corpus, questions, docs strings.Builder
	for i := range 80 {
		fmt.Fprintf(&corpus, `{"id":"p%d","title":"Orla Venn%d","text":"Orla Venn%d was born in Tarnby%d in %d. She was an engineer."}`+"\n", i, i, i, i, 1700+i)
		fmt.Fprintf(&questions, `{"id":"q%d","question":"When was Orla Venn%d born?","answers":["%d"],"supporting":["p%d"]}`+"\n", i, i, 1700+i, i)
	}
	for _, folder := range []string{"docs", "set", "other", "a", "b"} {
		if err := os.Mkdir(in(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		fmt.Fprintf(&docs, `{"id":"d%d","kind":"why","question":"Why does valve %d close?","answers":["pressure"],"evidence":[{"quote":"Valve %d closes because the pressure rises."}]}`+"\n", i, i, i)
		cmdtest.WriteFile(t, in(fmt.Sprintf("docs/valve%d.md", i)), fmt.Sprintf("# Valve %d\n\nValve %d closes because the pressure rises. It is made of brass.\n", i, i))
	}
	cmdtest.WriteFile(t, in("set/corpus.jsonl"), corpus.String())
	cmdtest.WriteFile(t, in("set/questions.jsonl"), questions.String())
	cmdtest.WriteFile(t, in("docs.jsonl"), docs.String())
	cmdtest.WriteFile(t, in("other/set.jsonl"), `{"id":"q1","question":"Orla Venn1's year of birth?"}`+"\n")
	args := []string{"train", in("set"), in("docs.jsonl") + "=" + in("docs"), "--paraphrases", in("other")}
	hoplab(t, "", append(args, "--out", in("a"))...).Exits(0).Prints("set ", "docs ")
	o := hoplab(t, "", append(args, "--json", "--out", in("b"))...).Exits(0)
	var measured []struct {
		Set       string
		Questions int
		EM, Unit  float64
	}
	if err := json.Unmarshal([]byte(o.Out), &measured); err != nil || len(measured) != 2 {
		t.Fatalf("%v: %s", err, o.Out)
	}
	for _, m := range measured {
		if m.Questions == 0 || m.Unit < 80 || m.Set == "set" && m.EM < 80 {
			t.Errorf("what should be learned at once is not: %+v", m)
		}
	}
	if _, err := weights.Read(in("a")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"units", "spans", "forms", "trust", "rarity"} {
		a, err := os.ReadFile(in("a/" + name + ".bin"))
		b, err2 := os.ReadFile(in("b/" + name + ".bin"))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: another fit has other bytes: %v, %v", name, err, err2)
		}
	}
	hoplab(t, "", "train", in("set"), "--out", in("nowhere")).Complains(2, "nowhere is no folder")
	hoplab(t, "", "train", in("docs.jsonl")+"="+in("nowhere")).Complains(1, "nowhere")
}
