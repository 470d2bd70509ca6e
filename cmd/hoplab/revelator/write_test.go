package revelator

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/routing"
	"hopstream/prompts"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What is written is what LLaMA-Factory reads: it looks a data set up in
// dataset_info.json, reads its file as a JSON array, takes the columns named
// there, joins prompt and query by a line break, and wants user and assistant
// in turn.
func TestLLaMAFactoryReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	made := build(t, awkward(), usual)
	dir := t.TempDir()
	if err := made.Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	var info map[string]struct {
		FileName      string `json:"file_name"`
		Formatting    string
		Columns, Tags map[string]string
	}
	load(t, filepath.Join(dir, infoFile), &info)
	files := map[string]bool{infoFile: true, recipeFile: true, splitsFile: true, ManifestFile: true, routing.File: true}
	for _, role := range Roles() {
		for _, split := range SplitNames() {
			for _, f := range []Format{Alpaca, ShareGPT} {
				d, ok := info[datasetName(role, f, split)]
				if !ok {
					t.Errorf("no entry for %s %s %s", role, f, split)
					continue
				}
				files[d.FileName] = true
				var records []map[string]any
				load(t, filepath.Join(dir, d.FileName), &records)
				want := made.Examples[role][split]
				if len(records) != len(want) || d.Formatting != string(f) {
					t.Errorf("%s: %d records for %d examples, %s", d.FileName, len(records), len(want), d.Formatting)
					continue
				}
				for i, r := range records {
					system, user, reply := readAlpaca(r, d.Columns), "", ""
					if f == ShareGPT {
						system, user, reply = readShareGPT(t, r, d.Columns, d.Tags)
					} else {
						user, reply = system[1], system[2]
					}
					if (prompts.Prompt{System: system[0], User: user}) != want[i].Prompt || reply != want[i].Reply {
						t.Fatalf("%s: record %d is read as\n%s\n%s\n%s", d.FileName, i, system[0], user, reply)
					}
				}
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		t.Errorf("%v, %d files for %d entries", err, len(entries), len(files))
	}
}

func readAlpaca(r map[string]any, columns map[string]string) []string {
	text := func(column string) string { s, _ := r[columns[column]].(string); return s }
	var turn []string
	for _, c := range []string{"prompt", "query"} {
		if text(c) != "" {
			turn = append(turn, text(c))
		}
	}
	return []string{text("system"), strings.Join(turn, "\n"), text("response")}
}

func readShareGPT(t *testing.T, r map[string]any, columns, tags map[string]string) (system []string, user, reply string) {
	t.Helper()
	turns, _ := r[columns["messages"]].([]any)
	if len(turns) != 2 {
		t.Fatalf("%d turns", len(turns))
	}
	text := func(i int, tag string) string { s, _ := turns[i].(map[string]any)[tags[tag]].(string); return s }
	if text(0, "role_tag") != tags["user_tag"] || text(1, "role_tag") != tags["assistant_tag"] {
		t.Fatalf("turns of %q and %q", text(0, "role_tag"), text(1, "role_tag"))
	}
	s, _ := r[columns["system"]].(string)
	return []string{s}, text(0, "content_tag"), text(1, "content_tag")
}

func load(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestRecipe(t *testing.T) {
	t.Parallel()
	o := usual
	o.Shares = Shares{} // nothing held out: nothing to evaluate on
	for _, held := range []bool{false, true} {
		if held {
			o = usual
		}
		made := build(t, invented(60), o)
		r, err := yaml.Parser().Unmarshal([]byte(made.recipe()))
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]any{"stage": "sft", "finetuning_type": "lora", "num_train_epochs": 1.0, "learning_rate": 1.0e-4,
			"lr_scheduler_type": "cosine", "warmup_ratio": 0.1, "dataset_dir": "."} {
			if r[key] != want {
				t.Errorf("%s is %v, want %v", key, r[key], want)
			}
		}
		if n := len(strings.Split(fmt.Sprint(r["dataset"]), ",")); n != len(Roles()) {
			t.Errorf("%d data sets: %v", n, r["dataset"])
		}
		if _, ok := r["eval_dataset"]; ok != held {
			t.Errorf("eval_dataset %v, held out %v", r["eval_dataset"], held)
		}
	}
	long := &Made{Options: Options{Roles: []Role{Ending}}, Examples: map[Role]map[Split][]Example{Ending: {Train: {{Reply: strings.Repeat("x", 9000)}}}}}
	if !strings.Contains(long.recipe(), "\ncutoff_len: 3072 ") {
		t.Errorf("9,000 bytes are cut:\n%s", long.recipe())
	}
}

// A benchmark is read back by the readers of data sets as it was made.
func TestCompoundIsADataSet(t *testing.T) {
	t.Parallel()
	made := Compounds(invented(40)[1:2], CompoundOptions{Seed: 5})
	dir := t.TempDir()
	if err := made.Write(dir, 5, nil); err != nil {
		t.Fatal(err)
	}
	set, err := dataset.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", set.Questions) != fmt.Sprintf("%+v", made.Questions) {
		t.Errorf("%+v", set.Questions)
	}
	var docs []dataset.Document
	for d, err := range set.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	if !slices.Equal(docs, made.Documents) {
		t.Errorf("%d documents of %d", len(docs), len(made.Documents))
	}
}

// The first examples of a tiny run: what a change of prompts, of drawing
// or of making does to the data shows here.
func TestGolden(t *testing.T) {
	t.Parallel()
	made := build(t, invented(8), Options{Seed: 2, Shares: Shares{Dev: 0.25, Test: 0.25}})
	var b strings.Builder
	for _, role := range Roles() {
		for _, split := range SplitNames() {
			examples := made.Examples[role][split]
			fmt.Fprintf(&b, "== %s %s: %d examples\n", role, split, len(examples))
			for _, e := range examples[:min(2, len(examples))] {
				fmt.Fprintf(&b, "-- %s\n%s\n=> %s\n", e.Label, e.Prompt.User, e.Reply)
			}
		}
	}
	path := filepath.Join("testdata", "tiny.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("other examples than in %s; look at what -update makes of it:\n%s", path, b.String())
	}
}
