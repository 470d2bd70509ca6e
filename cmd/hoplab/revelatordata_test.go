package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/revelator"
	"hopstream/cmd/internal/cmdtest"
)

// classSets writes four small data sets, one per class but compound.
func classSets(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var single, complexes, straight, corpus strings.Builder
	line := func(b *strings.Builder, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	type m = map[string]any
	for i := range 40 {
		name, town := fmt.Sprintf("Orla Venn%d", i), fmt.Sprintf("Tarnby%d", i)
		id, place := fmt.Sprintf("p%d", i), fmt.Sprintf("t%d", i)
		line(&corpus, m{"id": id, "title": name, "text": fmt.Sprintf("%s was born in %s in %d. She was an engineer, and her house still stands.", name, town, 1800+i)})
		line(&corpus, m{"id": place, "title": town, "text": fmt.Sprintf("%s is a town in Harland%d.", town, i)})
		line(&single, m{"id": "y" + id, "question": "When was " + name + " born?", "answers": []string{fmt.Sprint(1800 + i)}, "supporting": []string{id}})
		line(&single, m{"id": "w" + id, "question": "Where was " + name + " born?", "answers": []string{town}, "supporting": []string{id}})
		line(&straight, m{"id": id, "question": fmt.Sprintf("What is %d times %d?", i, i), "answers": []string{fmt.Sprint(i * i)}})
		line(&complexes, m{"id": id, "question": "In which land was " + name + " born?", "answers": []string{fmt.Sprintf("Harland%d", i)}, "supporting": []string{id, place},
			"decomposition": []m{{"question": "Where was " + name + " born?", "answer": town, "support": id},
				{"question": "In which land is #1?", "answer": fmt.Sprintf("Harland%d", i), "support": place}}})
	}
	for name, b := range map[string]*strings.Builder{"single": &single, "complex": &complexes, "straight": &straight} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		cmdtest.WriteFile(t, filepath.Join(dir, name, "questions.jsonl"), b.String())
		if name != "straight" {
			cmdtest.WriteFile(t, filepath.Join(dir, name, "corpus.jsonl"), corpus.String())
		}
	}
	return dir
}

// From data sets to training files, by way of the compound benchmark, which
// eval reads.
func TestRevelatorData(t *testing.T) {
	t.Parallel()
	dir := classSets(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	hoplab(t, "", "revelator-data", "compound", "--out", in("compound"), "--seed", "3", "single="+in("single")).Exits(0).
		Prints("40 compound questions about 40 things", "80 documents")
	hoplab(t, "", "eval", in("compound"), "--limit", "5").Exits(0).Prints("compound")

	args := []string{"revelator-data", "--out", in("training"), "--seed", "5", "straightforward=" + in("straight"), "single=" + in("single"), in("compound"), in("complex")}
	hoplab(t, "", args...).Exits(0).Prints("router", "relevance_all", "written to")
	var made revelator.Manifest
	if err := json.Unmarshal([]byte(cmdtest.Read(t, filepath.Join(in("training"), revelator.ManifestFile))), &made); err != nil {
		t.Fatal(err)
	}
	if made.Seed != 5 || len(made.Inputs) != 7 || len(made.Inputs[0].SHA256) != 64 || made.Roles[revelator.Ending][revelator.Train].Examples == 0 {
		t.Errorf("%+v", made)
	}
	hoplab(t, "", "revelator-data", "router", in("training")).Exits(0).Prints("builtin: ", "% of", "straightforward")
	hoplab(t, "", "revelator-data", "router", "--json", in("training")).Exits(0).Prints(`"accuracy":`)
	hoplab(t, "", "revelator-data", "router", in("single")).Complains(1, "router_test.jsonl: no such file")
	first := cmdtest.Read(t, filepath.Join(in("training"), "router.alpaca.train.json"))

	hoplab(t, "", args...).Complains(1, "is there already", "--force")
	hoplab(t, "", append(args, "--force")...).Exits(0)
	if cmdtest.Read(t, filepath.Join(in("training"), "router.alpaca.train.json")) != first {
		t.Error("the same command writes something else")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestRevelatorDataWrongUse(t *testing.T) {
	t.Parallel()
	dir := classSets(t)
	single, out := "single="+filepath.Join(dir, "single"), filepath.Join(dir, "out")
	other := t.TempDir()
	cmdtest.WriteFile(t, filepath.Join(other, "notes.txt"), "mine")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{single}, 2, "Give --out"},
		{[]string{"--out", out}, 2, "wants data sets"},
		{[]string{"--out", out, single}, 2, "all four classes"},
		{[]string{"--out", out, "--roles", "router,answerer", single}, 2, `no role "answerer"`},
		{[]string{"--out", out, "--dev", "0.5", "--test", "0.5", single}, 2, "something to train with"},
		{[]string{"--out", out, "--dev", "NaN", single}, 2, "something to train with"},
		{[]string{"--out", out, "--negatives", "0", single}, 2, "1 to 50"},
		{[]string{"--out", out, "simple=" + filepath.Join(dir, "single")}, 2, `no class "simple"`},
		{[]string{"--out", out, filepath.Join(dir, "nowhere")}, 1, "no such file or folder"},
		{[]string{"--out", other, "--force", single}, 1, "not of this command"},
		{[]string{"--out", dir, "--force", single}, 2, "is read from"},
		{[]string{"--out", filepath.Join(dir, "single"), "--force", single}, 2, "is read from"},
		{[]string{"--out", filepath.Join(dir, "single", "corpus.jsonl"), single}, 1, "--out"},
		{[]string{"compound", "--out", out, "--limit", "-1", single}, 2, "--limit"},
		{[]string{"compound", "--out", out, "complex=" + filepath.Join(dir, "complex")}, 1, "no two simple questions"},
	} {
		hoplab(t, "", append([]string{"revelator-data"}, c.args...)...).Complains(c.code, c.says)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a run that failed left its folder")
	}
	// One role needs one kind of question.
	hoplab(t, "", "revelator-data", "--out", out, "--roles", "relevance", single).Exits(0).Prints("relevance")
}
