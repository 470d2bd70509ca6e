package dataset

import (
	"os"
	"path/filepath"
	"testing"
)

// TestParaphrase holds that only what has other words is asked, in both.
func TestParaphrase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "towns.jsonl"), []byte(`{"id":"1-p","question":"Holm lies where?"}`+"\n"+`{"id":"9","question":"Why?"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	words, err := OtherWords(dir, "towns")
	if err != nil || len(words) != 2 {
		t.Fatal(words, err)
	}
	s := &Set{Name: "towns", Questions: []Question{{ID: "1", Question: "Where is Holm?", Answers: []string{"Norway"}}, {ID: "2", Question: "Where is Nordvik?"}}}
	p := s.Paraphrase(words)
	if len(s.Questions) != 1 || s.Questions[0].Question != "Where is Holm?" || p.Name != "towns-paraphrased" ||
		len(p.Questions) != 1 || p.Questions[0].Question != "Holm lies where?" || p.Questions[0].Answers[0] != "Norway" {
		t.Errorf("%+v, %+v", s, p)
	}
	if none, err := OtherWords(dir, "rivers"); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
	if _, err := OtherWords("", "towns"); err != nil {
		t.Error(err)
	}
}
