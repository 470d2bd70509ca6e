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
	for _, folder := range []string{"docs", "set", "other", "a", "b", "half"} {
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
	var measured struct {
		Sets []struct {
			Set       string
			Questions int
			EM, Unit  float64
		}
	}
	if err := json.Unmarshal([]byte(o.Out), &measured); err != nil || len(measured.Sets) != 2 {
		t.Fatalf("%v: %s", err, o.Out)
	}
	for _, m := range measured.Sets {
		if m.Questions == 0 || m.Unit < 80 || m.Set == "set" && m.EM < 80 {
			t.Errorf("what should be learned at once is not: %+v", m)
		}
	}
	if _, err := weights.Read(in("a")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"classes", "units", "spans", "forms", "choice", "trust", "rarity"} {
		a, err := os.ReadFile(in("a/" + name + ".bin"))
		b, err2 := os.ReadFile(in("b/" + name + ".bin"))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: another fit has other bytes: %v, %v", name, err, err2)
		}
	}
	hoplab(t, "", append(args, "--half", in("half"))...).Exits(0)
	only, err := os.ReadFile(in("half/unseen.txt"))
	if n := bytes.Count(only, []byte("\n")); err != nil || n < 10 || n > 90 {
		t.Errorf("%d questions are of the other half, %v: %s", n, err, only)
	}
	asked := bytes.Count(only, []byte("\nq")) + bytes.Count(only[:1], []byte("q"))
	cmdtest.WriteFile(t, in("weights.yaml"), "builtin:\n  weights: "+in("half")+"\n")
	hoplab(t, "", "--config", in("weights.yaml"), "eval", "--totals", "--markdown", "--only", in("half/unseen.txt"), in("set")).Exits(0).Prints(fmt.Sprintf("| set | %d |", asked))
	hoplab(t, "", "eval", "--only", in("docs.jsonl"), in("set")).Complains(2, "names no question")
	cmdtest.WriteFile(t, in("weights.yaml"), "builtin:\n  weights: "+in("nowhere")+"\n")
	hoplab(t, "", "--config", in("weights.yaml"), "eval", in("set")).Complains(1, "builtin.weights")
	hoplab(t, "", "train", in("set"), "--routing", in("docs")).Complains(2, "questions.jsonl", "the router is fitted on")
	hoplab(t, "", "train", in("set"), "--out", in("nowhere")).Complains(2, "nowhere is no folder")
	hoplab(t, "", "train", in("docs.jsonl")+"="+in("nowhere")).Complains(1, "nowhere")
}
