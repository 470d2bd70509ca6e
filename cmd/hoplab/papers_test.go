package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/papers"
	"hopstream/index/sample"
)

func TestPapersPrintsTheRules(t *testing.T) {
	t.Parallel()
	hoplab(t, "", "papers").Exits(0).Prints("hanrag: HANRAG", "retriever.top_k: 10", "why it differs", "levelrag: LevelRAG")
	hoplab(t, "", "papers", "--markdown").Exits(0).Prints("## mga-rag", "| paper's rule | where |")
	hoplab(t, "", "papers", "bogus").Complains(2, `there is no paper "bogus": choose from hanrag, mga-rag, levelrag, muisqa`)
	hoplab(t, "", "papers", "hanrag", "--row", "bogus").Complains(2, "choose from HANRAG, oracle router")
	hoplab(t, "", "papers", "hanrag", "--resume").Complains(2, "--resume needs --out")
	hoplab(t, "", "papers", "hanrag", "/nowhere/sets").Complains(2, "no figure of a data set called sets: choose from squad, nq")
}

// TestPapersWithoutAModel runs every row of every paper over the sample, with a
// simulated model, and says what is missing.
func TestPapersWithoutAModel(t *testing.T) {
	t.Parallel()
	for _, p := range papers.All() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "figures.json")
			o := hoplab(t, "", "papers", p.Name, "--limit", "5", "--json", file).Exits(0)
			o.Prints("hoplab papers "+p.Name+" --engine ollama --model NAME", "answers, given as a simulated model's")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Simulated bool
				Missing   []string
				Runs      []struct {
					Preset string
					Total  map[string]any
				}
			}
			if err := json.Unmarshal(text, &got); err != nil || !got.Simulated || len(got.Runs) != len(p.Rows) || len(got.Missing) == 0 {
				t.Fatalf("%v: %s", err, text)
			}
			for i, run := range got.Runs {
				if run.Preset != p.Rows[i].Name || run.Total["model_calls"] == 0.0 {
					t.Errorf("%d: %s: %v calls", i, run.Preset, run.Total["model_calls"])
				}
			}
		})
	}
}

// TestPapersBeside measures a row on a data set of the paper's, and puts it beside
// the published figure.
func TestPapersBeside(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "musique")
	if err := sample.Write(dir); err != nil {
		t.Fatal(err)
	}
	o := hoplab(t, "", "papers", "hanrag", "--row", "without refiner", "--json", "-", dir).Exits(0)
	var got struct{ Compared []papers.Compared }
	if err := json.Unmarshal([]byte(o.Out), &got); err != nil || len(got.Compared) != 4 {
		t.Fatalf("%v: %s", err, o.Out)
	}
	for _, c := range got.Compared {
		if c.Data != "musique" || c.Questions == 0 || c.Published == 0 {
			t.Errorf("%+v", c)
		}
	}
	hoplab(t, "", "papers", "hanrag", "--row", "without refiner", dir).Exits(0).
		Prints("Acc      28.90", "Not given, so not measured: squad, nq", strings.TrimSpace("Published with Llama-3.1-8B"))
}
