package golden_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// set is a public question set.
type set struct {
	name   string
	always bool // asked by every run, not only by those that ask all
}

// Of the two that are always asked, one needs several passages per question,
// the other passages that are not about what the question names.
var sets = []set{
	{"hotpotqa", false}, {"2wikimultihopqa", false}, {"musique", true},
	{"nq", false}, {"popqa", true}, {"squad", false},
}

// question is one with the documents that hold its answer.
type question struct {
	text string
	gold map[string]bool
}

// heldOut says whether nothing was fitted on the nth question of a set: links'
// weights are of every other one, and of squad's 6,300 only two of fourteen
// were looked at.
func (s set) heldOut(n int) bool {
	if s.name == "squad" {
		return n%14 == 1
	}
	return n%2 == 1
}

// dataDir returns where the sets are, or skips the test.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HOPSTREAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "musique", "corpus.jsonl")); err != nil {
		t.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", dir)
	}
	return dir
}

// questions returns those held out of a set that have evidence.
func (s set) questions(t *testing.T, dir string) []question {
	var out []question
	for n, v := range readLines[struct {
		Question   string
		Supporting []string
	}](t, filepath.Join(dir, s.name, "questions.jsonl")) {
		if !s.heldOut(n) || len(v.Supporting) == 0 {
			continue
		}
		q := question{text: v.Question, gold: map[string]bool{}}
		for _, id := range v.Supporting {
			q.gold[id] = true
		}
		out = append(out, q)
	}
	return out
}

func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return out
}
