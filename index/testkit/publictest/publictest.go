// Package publictest gives tests the public question sets: folders of a
// corpus.jsonl and a questions.jsonl.
//
//	docs := publictest.Documents(t, "musique")
//	for _, q := range publictest.Questions(t, "musique") { … }
//
// They lie in the folder that the environment variable HOPSTREAM_DATA names, or
// in shared/data beside the module. Where there are none, the test is skipped.
package publictest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"hopstream/messages"
)

// Question is one with the documents that hold its answer.
type Question struct {
	Text string
	// Gold are the IDs of the documents, one at least.
	Gold map[string]bool
	// Fitted says that the weights of links may be fitted on it. Nothing is
	// fitted on the others.
	Fitted bool
}

// Dir returns the folder of the sets, or skips the test.
func Dir(tb testing.TB) string {
	tb.Helper()
	dir := folder(tb)
	if _, err := os.Stat(filepath.Join(dir, "musique", "corpus.jsonl")); err != nil {
		tb.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", dir)
	}
	return dir
}

// Has reports whether a set is there.
func Has(tb testing.TB, set string) bool {
	tb.Helper()
	_, err := os.Stat(filepath.Join(folder(tb), set, "corpus.jsonl"))
	return err == nil
}

func folder(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("HOPSTREAM_DATA"); dir != "" {
		return dir
	}
	return filepath.Join(module(tb), "..", "shared", "data")
}

// module returns the folder of go.mod: a test runs in that of its package.
func module(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			tb.Fatalf("no go.mod above %s", dir)
		}
	}
}

// Documents returns a set's corpus.
func Documents(tb testing.TB, set string) []messages.Document {
	tb.Helper()
	return lines[messages.Document](tb, filepath.Join(Dir(tb), set, "corpus.jsonl"))
}

// Questions returns a set's questions that have evidence, in the order of the
// set; of squad's 6,300, which are many on each document, two of fourteen.
func Questions(tb testing.TB, set string) []Question {
	tb.Helper()
	var out []Question
	for n, v := range lines[struct {
		Question   string
		Supporting []string
	}](tb, filepath.Join(Dir(tb), set, "questions.jsonl")) {
		if len(v.Supporting) == 0 || set == "squad" && n%14 > 1 {
			continue
		}
		q := Question{Text: v.Question, Gold: map[string]bool{}, Fitted: n%2 == 0}
		for _, id := range v.Supporting {
			q.Gold[id] = true
		}
		out = append(out, q)
	}
	return out
}

// Texts returns what all questions of a set ask.
func Texts(tb testing.TB, set string) []string {
	tb.Helper()
	var out []string
	for _, v := range lines[struct{ Question string }](tb, filepath.Join(Dir(tb), set, "questions.jsonl")) {
		out = append(out, v.Question)
	}
	return out
}

// HeldOut is Questions without those that may be fitted on.
func HeldOut(tb testing.TB, set string) []Question {
	tb.Helper()
	var out []Question
	for _, q := range Questions(tb, set) {
		if !q.Fitted {
			out = append(out, q)
		}
	}
	return out
}

func lines[T any](tb testing.TB, path string) []T {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			tb.Fatalf("%s, line %d: %v", path, len(out)+1, err)
		}
		out = append(out, v)
	}
	if s.Err() != nil {
		tb.Fatalf("%s: %v", path, s.Err())
	}
	return out
}
