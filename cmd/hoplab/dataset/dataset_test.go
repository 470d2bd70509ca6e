package dataset_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/index/document"
	"hopstream/messages"
)

func open(t *testing.T, path string, limit int) *dataset.Set {
	t.Helper()
	s, err := dataset.Open(path, limit)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func documents(t *testing.T, s *dataset.Set) map[string]dataset.Document {
	t.Helper()
	all := map[string]dataset.Document{}
	for d, err := range s.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := all[d.ID]; twice {
			t.Errorf("document %q comes twice", d.ID)
		}
		all[d.ID] = d
	}
	return all
}

func TestOwn(t *testing.T) {
	t.Parallel()
	s := open(t, "testdata/own", 0)
	want := []dataset.Question{
		{ID: "1", Question: "Who invented Zorblat?", Answers: []string{"Mina Quist", "M. Quist"}, Type: "single", Class: messages.Single, Supporting: []string{"zorblat"}},
		{ID: "2", Question: "Where was the inventor of Zorblat born?", Answers: []string{"Oslo"}, Class: messages.Complex, Supporting: []string{"zorblat", "mina-quist"},
			Decomposition: []dataset.Step{{Question: "Zorblat >> inventor", Answer: "Mina Quist", Support: "zorblat"}, {Question: "#1 >> place of birth", Answer: "Oslo"}}},
		{ID: "3", Question: "Whom did Mina Quist teach?", Answers: []string{"Tavi Brandt", "Ulla Renn"}, List: true, Supporting: []string{"mina-quist"}},
		{ID: "4", Question: "What is Zorblat, and who invented it?", Answers: []string{"A card game by Mina Quist."},
			Entities: []dataset.Entity{{"card game"}, {"Mina Quist", "Quist"}}, Class: messages.Compound},
		{ID: "5", Question: "Which places are named?", Answers: []string{"Arlen", "Oslo"}, List: true},
		{ID: "6", Question: "How many did she teach?", Answers: []string{"2"}},
	}
	if !reflect.DeepEqual(s.Questions, want) {
		t.Errorf("questions are\n%+v\nwant\n%+v", s.Questions, want)
	}
	if s.Name != "own" || s.Format != dataset.Own || len(documents(t, s)) != 2 {
		t.Errorf("%s %s", s.Name, s.Format)
	}
	if file, err := s.CorpusFile(t.TempDir()); err != nil || file != filepath.Join("testdata", "own", "corpus.jsonl") {
		t.Errorf("the corpus is %q, %v: want the file as it is", file, err)
	}
	if part := open(t, "testdata/own/questions.jsonl", 2); len(part.Questions) != 2 || len(documents(t, part)) != 2 {
		t.Errorf("%d questions", len(part.Questions))
	}
}

func TestBEIR(t *testing.T) {
	t.Parallel()
	s := open(t, "testdata/beir", 0)
	want := []dataset.Question{
		{ID: "q1", Question: "card games of Arlen", Supporting: []string{"d1"}},
		{ID: "q2", Question: "Where was Mina Quist born?", Answers: []string{"Oslo"}, Supporting: []string{"d2"}},
	}
	if !reflect.DeepEqual(s.Questions, want) || s.Format != dataset.BEIR {
		t.Errorf("questions are\n%+v\nwant\n%+v", s.Questions, want)
	}
	if docs := documents(t, s); len(docs) != 2 || docs["d1"].Title != "Zorblat" {
		t.Errorf("documents are %+v", docs)
	}
}

// Every question's gold passages are those that say so in its own context.
func TestContexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file      string
		format    dataset.Format
		questions int
		documents int
		steps     []dataset.Step
	}{
		{"hotpotqa.json", dataset.HotpotQA, 2, 4, nil}, // two paragraphs named Zorblat; one of Arlen in both
		{"hotpotqa_columns.jsonl", dataset.HotpotQA, 1, 2, nil},
		{"2wikimultihopqa.json", dataset.TwoWiki, 1, 2, []dataset.Step{{Question: "Zorblat >> inventor", Answer: "Mina Quist"}, {Question: "Mina Quist >> place of birth", Answer: "Oslo"}}},
		{"musique.jsonl", dataset.MuSiQue, 1, 4, []dataset.Step{{Question: "Zorblat >> inventor", Answer: "Mina Quist"}, {Question: "#1 >> place of birth", Answer: "Oslo"}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			s := open(t, filepath.Join("testdata", c.file), 0)
			docs := documents(t, s)
			if s.Format != c.format || len(s.Questions) != c.questions || len(docs) != c.documents {
				t.Fatalf("%s: %d questions, %d documents, want %s, %d, %d", s.Format, len(s.Questions), len(docs), c.format, c.questions, c.documents)
			}
			q := s.Questions[0]
			if q.Answers[0] != "Oslo" || len(q.Supporting) != 2 || q.Type == "" {
				t.Fatalf("%+v", q)
			}
			for i, title := range []string{"Zorblat", "Mina Quist"} {
				d := docs[q.Supporting[i]]
				if d.Title != title || !strings.Contains(d.Text, "Mina Quist") {
					t.Errorf("gold passage %d is %+v", i+1, d)
				}
				if len(c.steps) > 0 {
					c.steps[i].Support = d.ID
				}
			}
			if !reflect.DeepEqual(q.Decomposition, c.steps) {
				t.Errorf("decomposition is %+v, want %+v", q.Decomposition, c.steps)
			}
			if limited := open(t, filepath.Join("testdata", c.file), 1); len(documents(t, limited)) != c.documents {
				t.Error("the limit of questions changes the corpus")
			}
			file, err := s.CorpusFile(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			stats, err := document.Walk(t.Context(), []string{file}, func(d messages.Document) error {
				if got := docs[d.ID]; got.Title != d.Title || got.Text != d.Text {
					t.Errorf("the index reads %+v, want %+v", d, got)
				}
				return nil
			}, nil)
			if err != nil || stats.Documents != c.documents || stats.Errors > 0 {
				t.Errorf("%+v, %v", stats, err)
			}
		})
	}
	h := open(t, "testdata/hotpotqa.json", 0)
	docs := documents(t, h)
	if got := docs[h.Questions[0].Supporting[0]].Text; got != "Zorblat is a card game. It was invented by Mina Quist." {
		t.Errorf("sentences are joined as %q", got)
	}
	second := h.Questions[1]
	if docs[second.Supporting[0]].Title != "Arlen" || second.Supporting[1] != "Gone" {
		t.Errorf("gold that is not there is lost: %q", second.Supporting)
	}
	if m := open(t, "testdata/musique.jsonl", 0).Questions[0]; !reflect.DeepEqual(m.Answers, []string{"Oslo", "Christiania"}) || m.Type != "2hop" {
		t.Errorf("%+v", m)
	}
}

func TestCompressed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"questions.jsonl", "corpus.jsonl"} {
		plain, err := os.ReadFile(filepath.Join("testdata", "own", name))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(plain)
		_ = z.Close()
		write(t, filepath.Join(dir, name+".gz"), b.String())
	}
	s := open(t, dir, 0)
	if len(s.Questions) != 6 || len(documents(t, s)) != 2 {
		t.Errorf("%+v", s.Questions)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	questions, corpus := filepath.Join(dir, "questions.jsonl"), filepath.Join(dir, "corpus.jsonl")
	print := func(limit int) string {
		f, err := open(t, dir, limit).Fingerprint()
		if err != nil || f == "" {
			t.Fatal(err)
		}
		return f
	}
	two := `{"id":"1","question":"Who?"}` + "\n" + `{"id":"2","question":"When?"}` + "\n"
	write(t, questions, two)
	write(t, corpus, `{"id":"a","text":"b"}`)
	first := print(0)
	if print(1) != first {
		t.Error("the limit changes the fingerprint")
	}
	write(t, corpus, `{"id":"a","text":"c"}`)
	second := print(0)
	write(t, questions, strings.Replace(two, "When", "Where", 1))
	if third := print(0); first == second || second == third {
		t.Errorf("%s, %s, %s: other content, another fingerprint", first, second, third)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"empty.jsonl":     {"\n \n", []string{"empty.jsonl holds no questions"}},
		"empty.json":      {"[]", []string{"holds no questions"}},
		"word.jsonl":      {"\n\nnope", []string{"word.jsonl:3: "}},
		"unknown.jsonl":   {`{"text":"x"}`, []string{"unknown.jsonl:1: ", "known format", "MuSiQue"}},
		"second.jsonl":    {`{"id":"1","question":"x?"}` + "\n" + `{"id":"1","question":"x?"}`, []string{"second.jsonl:2: ", "give each question its own"}},
		"subject.jsonl":   {`{"id":"a.b","question":"x?"}`, []string{"subject.jsonl:1: ", "NATS subject"}},
		"class.jsonl":     {`{"id":"a","question":"x?","class":"hard"}`, []string{"class.jsonl:1: ", `"hard"`, "straightforward"}},
		"utf.jsonl":       {`{"id":"a","question":"x?"}` + "\n{\"id\":\"b\",\"question\":\"\xff\"}", []string{"utf.jsonl:2: ", "iconv"}},
		"answers.jsonl":   {`{"id":"a","question":"x?","answers":[{"x":1}]}`, []string{"answers.jsonl:1: "}},
		"cut.json":        {`[{"_id":"a","question":"x?","context":[["t",["s"]]]},` + "\n", []string{"cut.json:"}},
		"open.json":       {"[" + `{"_id":"a","question":"x?","context":[["t",["s"]]]}` + "\n", []string{"open.json:", "breaks off"}},
		"behind.json":     {"[" + `{"_id":"a","question":"x?","context":[["t",["s"]]]}` + "]\n[]", []string{"behind.json:", "more behind"}},
		"contexts.json":   {"[\n" + `{"_id":"a","question":"x?","context":[["t",["s"]]]},` + "\n" + `{"_id":"b","question":"x?","context":[["t"]]}]`, []string{"contexts.json:3: ", "1 parts"}},
		"none.json":       {`[{"_id":"a","question":"x?","context":[]}]`, []string{"none.json:1: ", "no paragraphs"}},
		"evidence.json":   {`[{"_id":"a","question":"x?","context":[["t",["s"]]],"evidences":[["a","b"]]}]`, []string{"evidence.json:1: ", "2 parts"}},
		"paragraphs.json": {`{"id":"a","question":"x?","paragraphs":[]}`, []string{"paragraphs.json:1: ", "no paragraphs"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			write(t, path, c.text)
			complains(t, path, c.says...)
		})
	}
	complains(t, filepath.Join(t.TempDir(), "none"), "no such file or folder")
	complains(t, t.TempDir(), "questions.jsonl", "BEIR")

	beir := t.TempDir()
	write(t, filepath.Join(beir, "queries.jsonl"), `{"id":"q1","text":"x"}`)
	complains(t, beir, "corpus.jsonl: no such file")
	write(t, filepath.Join(beir, "corpus.jsonl"), `{"_id":"d1","text":"x"}`)
	complains(t, beir, "no judgements", "qrels.tsv")
	qrels := filepath.Join(beir, "qrels.tsv")
	write(t, qrels, "query-id\tcorpus-id\tscore\n")
	complains(t, beir, "names no relevant document")
	write(t, qrels, "q1 0 d1 1\nq1 d1")
	complains(t, beir, "qrels.tsv:2: ", "2 columns")
	write(t, qrels, "q1\td1\t1\nq1\td1\tyes")
	complains(t, beir, "qrels.tsv:2: ", `"yes"`)
	write(t, qrels, "q1 0 d1 1")
	complains(t, beir, "queries.jsonl:1: ", `without "_id"`)

	own := t.TempDir()
	write(t, filepath.Join(own, "questions.jsonl"), `{"id":"a","question":"x?"}`)
	s := open(t, own, 0)
	if _, err := s.CorpusFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "corpus.jsonl: no such file") {
		t.Errorf("without passages: %v", err)
	}
	write(t, filepath.Join(own, "corpus.jsonl"), `{"id":"a","text":"x"}`+"\n"+`{"text":"x"}`)
	if err := s.WriteCorpus(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "corpus.jsonl:2: ") {
		t.Errorf("a document without an ID: %v", err)
	}
}

func complains(t *testing.T, path string, says ...string) {
	t.Helper()
	_, err := dataset.Open(path, 0)
	if err == nil {
		t.Errorf("%s is read", path)
		return
	}
	for _, want := range says {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

// Whatever a file holds, it is read or refused; what is read is sound.
func FuzzOpen(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json*")
	if err != nil || len(files) == 0 {
		f.Fatal("no examples")
	}
	for _, file := range append(files, "testdata/own/questions.jsonl", "testdata/beir/queries.jsonl") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("\uFEFF[ \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "file.json")
		write(t, path, string(text))
		s, err := dataset.Open(path, 0)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, q := range s.Questions {
			if messages.CheckID(q.ID) != nil || strings.TrimSpace(q.Question) == "" || seen[q.ID] {
				t.Errorf("a question %+v", q)
			}
			seen[q.ID] = true
			for _, e := range q.Entities {
				if len(e) == 0 {
					t.Errorf("an entity without a name: %+v", q)
				}
			}
		}
		if s.Format == dataset.Own {
			return // its passages are in another file
		}
		var b bytes.Buffer
		if err := s.WriteCorpus(&b); err != nil {
			t.Errorf("the questions are read, the passages not: %v", err)
		}
		dec := json.NewDecoder(&b)
		ids := map[string]bool{}
		for dec.More() {
			var d dataset.Document
			if err := dec.Decode(&d); err != nil || messages.CheckDocID(d.ID) != nil || ids[d.ID] || strings.TrimSpace(d.Text) == "" {
				t.Fatalf("%+v, %v", d, err)
			}
			ids[d.ID] = true
		}
	})
}

// The same of BEIR's judgements, queries and passages.
func FuzzBEIR(f *testing.F) {
	f.Add([]byte(`{"_id":"q1","text":"x"}`), []byte("q1\td1\t1"), []byte(`{"_id":"d1","text":"x"}`))
	f.Add([]byte(`{"_id":1,"text":"x","metadata":{"answer":["a"]}}`), []byte("a\tb\tc\n1 0 d1 2"), []byte(`{"_id":2}`))
	f.Fuzz(func(t *testing.T, queries, qrels, corpus []byte) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "queries.jsonl"), string(queries))
		write(t, filepath.Join(dir, "qrels.tsv"), string(qrels))
		write(t, filepath.Join(dir, "corpus.jsonl"), string(corpus))
		s, err := dataset.Open(dir, 0)
		if err != nil {
			return
		}
		for _, q := range s.Questions {
			if len(q.Supporting) == 0 {
				t.Errorf("a question without gold: %+v", q)
			}
		}
		_ = s.WriteCorpus(new(bytes.Buffer)) // may fail, never panics
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A folder of documents stands in for corpus.jsonl.
func TestFolderOfDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs", "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "questions.jsonl"), `{"id":"1","question":"Who invented Zorblat?","answers":["Mina Quist"],"supporting":["games/zorblat.md"]}`)
	write(t, filepath.Join(dir, "docs", "games", "zorblat.md"), "# Zorblat\n\nMina Quist invented it.\n")
	write(t, filepath.Join(dir, "docs", "other.txt"), "Something else.")
	s := open(t, dir, 0)
	var ids []string
	for d, err := range s.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
		if len(ids) == 2 {
			break
		}
	}
	if want := []string{"games/zorblat.md", "other.txt"}; !slices.Equal(ids, want) {
		t.Errorf("documents %v, want %v", ids, want)
	}
	if path, err := s.CorpusFile(t.TempDir()); err != nil || path != filepath.Join(dir, "docs") {
		t.Errorf("the corpus is %s, %v", path, err)
	}
	before, err := s.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "docs", "other.txt"), "Something new.")
	if after, err := open(t, dir, 0).Fingerprint(); err != nil || after == before {
		t.Errorf("another document has the same fingerprint %s, %v", after, err)
	}
	s.WithholdGold()
	for d := range s.Documents() {
		if d.ID == "games/zorblat.md" {
			t.Error("the gold document is still there")
		}
	}
}

// The public sets, where they are there: every question is read, and every
// gold passage is in the corpus.
func TestPublicSets(t *testing.T) {
	t.Parallel()
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	folders, err := filepath.Glob(filepath.Join(root, "*", "questions.jsonl"))
	if err != nil || len(folders) == 0 {
		t.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds them", root)
	}
	for _, file := range folders {
		s := open(t, filepath.Dir(file), 0)
		text, err := os.ReadFile(file)
		if err != nil || bytes.Count(text, []byte("\n")) != len(s.Questions) {
			t.Errorf("%s: %d questions of %d lines, %v", s.Name, len(s.Questions), bytes.Count(text, []byte("\n")), err)
		}
		if _, err := s.CorpusFile(t.TempDir()); err != nil {
			continue // questions only
		}
		docs, gold, lost := documents(t, s), 0, 0
		for _, q := range s.Questions {
			for _, id := range q.Supporting {
				gold++
				if _, there := docs[id]; !there {
					lost++
				}
			}
		}
		if lost > 0 {
			t.Errorf("%s: %d of %d gold passages are not in the corpus", s.Name, lost, gold)
		}
		t.Logf("%s: %d questions, %d passages, %d gold", s.Name, len(s.Questions), len(docs), gold)
	}
}
