package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The figures of a data set small enough to work out by hand.
func TestEvalFigures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "corpus.jsonl"),
		`{"id":"z","title":"Zorblat","text":"Zorblat was invented by Mina Quist in the town of Arlen."}`+"\n"+
			`{"id":"m","title":"Mina Quist","text":"Mina Quist was born in Oslo."}`+"\n")
	writeFile(t, filepath.Join(dir, "questions.jsonl"), strings.Join([]string{
		// "Mina Quist": right, and its passage is found.
		`{"id":"1","question":"Who invented Zorblat?","answers":["The Mina Quist"],"type":"one","supporting":["z"]}`, "",
		// "Oslo" where "Oslo Norway" is wanted: P 1, R 1/2, F1 2/3. Both passages are found, in two rounds.
		`{"id":"2","question":"Where was the inventor of Zorblat born?","answers":["Oslo, Norway"],"type":"two","supporting":["z","m"]}`,
		// 391: no retrieval, so nothing is recalled.
		`{"id":"3","question":"What is 17 times 23?","answers":["391"],"type":"one","supporting":["z"]}`,
		// The same without supporting passages, answered wrongly; it does not count for recall.
		`{"id":"4","question":"What is 2 times 2?","answers":["5"],"type":"one"}`,
	}, "\n"))
	out := filepath.Join(t.TempDir(), "figures.json")
	o := hopstream(t, "", "eval", dir, "--json", out).exits(0)
	o.prints("questions", "R@10", "50.0", "66.7", "engine builtin", "4 answered")
	var r struct {
		Data, Engine string
		Total        figures
		Types        map[string]figures
	}
	if err := json.Unmarshal([]byte(read(t, out)), &r); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("questions", float64(r.Total.Questions), 4)
	near("EM", r.Total.EM, 50)
	near("F1", r.Total.F1, 100*(1+2.0/3+1)/4)
	near("Acc", r.Total.Acc, 50)
	near("Steps", r.Total.Steps, (1+2+0+0)/4.0)
	near("recall@2", r.Total.Recall2, 100*(1+1+0)/3.0)
	near("recall@10", r.Total.Recall10, 100*(1+1+0)/3.0)
	near("Succ", r.Total.Succ, 25) // "Mina Quist" is in what was retrieved
	near("EM of type two", r.Types["two"].EM, 0)
	near("F1 of type two", r.Types["two"].F1, 200.0/3)
	if r.Engine != "builtin" || r.Total.Status["answered"] != 4 || r.Total.P95MS <= 0 {
		t.Errorf("%+v", r)
	}

	o = hopstream(t, "", "eval", dir, "--limit", "1", "--json", "-").exits(0)
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || r.Total.Questions != 1 {
		t.Errorf("%v: %s", err, o.out)
	}
	gold := filepath.Join(dir, "questions.jsonl")
	for text, says := range map[string]string{
		"":                         "holds no questions",
		"nope":                     "questions.jsonl:1: ",
		`{"question":"x?"}`:        "give each question its own",
		`{"id":"1","question":""}`: "is empty",
		strings.Repeat(`{"id":"1","question":"x?"}`+"\n", 2): "questions.jsonl:2: ",
	} {
		writeFile(t, gold, text)
		hopstream(t, "", "eval", dir).complains(1, says)
	}
	writeFile(t, gold, `{"id":"1","question":"Who?"}`)
	if err := os.Remove(filepath.Join(dir, "corpus.jsonl")); err != nil {
		t.Fatal(err)
	}
	hopstream(t, "", "eval", dir).complains(1, "corpus.jsonl: no such file")
}
