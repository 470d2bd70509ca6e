package dataset

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ownSet opens a folder of questions over three passages.
func ownSet(t *testing.T, questions ...string) *Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl":    `{"id":"a","text":"A."}` + "\n" + `{"id":"b","text":"B."}` + "\n" + `{"id":"c","text":"C."}` + "\n",
		"questions.jsonl": strings.Join(questions, "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUnanswerable tells questions without an answer from those of which none
// is known.
func TestUnanswerable(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]bool{
		``: false, `,"answers":null`: false, `,"answers":["x"]`: false, `,"answers":""`: false,
		`,"answers":[]`: true, `,"answers":[ ]`: true, `,"answerable":false`: true, `,"answerable":false,"answers":["x"]`: true,
		`,"answers":[],"answer":"x"`: false, `,"answers":[],"entities":["x"]`: false, `,"answers":[],"records":[{"drug":"x"}]`: false, `,"answers":[],"answerable":true`: false,
	} {
		q := ownSet(t, `{"id":"1","question":"x?","type":"t","supporting":["a"]`+fields+`}`).Questions[0]
		if q.Unanswerable != want || want && len(q.Answers)+len(q.Supporting) > 0 || q.Type != "t" {
			t.Errorf("%s: %+v", fields, q)
		}
	}
}

func TestWithholdGold(t *testing.T) {
	t.Parallel()
	s := ownSet(t,
		`{"id":"1","question":"x?","answers":["x"],"supporting":["a"],"class":"single"}`,
		`{"id":"2","question":"y?","answers":["y"]}`,
		`{"id":"3","question":"z?","answers":[]}`)
	s.WithholdGold()
	if len(s.Questions) != 2 || s.LeftOut != 1 || !s.Questions[0].Unanswerable || s.Questions[0].Class != "single" || len(s.Questions[0].Answers) > 0 {
		t.Errorf("%d left out, %+v", s.LeftOut, s.Questions)
	}
	var ids []string
	for d, err := range s.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	if !slices.Equal(ids, []string{"b", "c"}) {
		t.Errorf("the corpus has %v", ids)
	}
	path, err := s.CorpusFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), `"a"`) || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%v: %s", err, text)
	}
}

// TestRecords holds that records keep the order of their fields, and that what is
// not known is empty.
func TestRecords(t *testing.T) {
	t.Parallel()
	q := ownSet(t, `{"id":"1","question":"x?","records":[{"drug_name":"Lumenol","active_molecule":null,"adverse_effects":"nausea; dizziness","km":2400},{"effects":["a","b"],"drug_name":"Tarnbex"},{"drug_name":null},{}]}`).Questions[0]
	want := []Record{
		{{Name: "drug_name", Value: "Lumenol"}, {Name: "active_molecule"}, {Name: "adverse_effects", Value: "nausea; dizziness"}, {Name: "km", Value: "2400"}},
		{{Name: "effects", Value: "a; b"}, {Name: "drug_name", Value: "Tarnbex"}},
	}
	if !reflect.DeepEqual(q.Records, want) || q.Unanswerable {
		t.Errorf("%+v", q)
	}
	for _, bad := range []string{`["Lumenol"]`, `[{"drug":{"name":"x"}}]`, `[7]`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "questions.jsonl"), []byte(`{"id":"1","question":"x?","records":`+bad+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, 0); err == nil || !strings.Contains(err.Error(), "questions.jsonl:1") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
