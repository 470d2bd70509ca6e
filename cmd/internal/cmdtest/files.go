package cmdtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/sample"
)

// TempFile writes a file into a folder of the test's own.
func TempFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Read returns the text of a file.
func Read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Corpus writes the shipped documents to a file.
func Corpus(t *testing.T) string {
	t.Helper()
	docs, err := sample.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, d := range docs {
		if err := enc.Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	return TempFile(t, "corpus.jsonl", b.String())
}

// SampleLines are the shipped questions as JSON lines.
func SampleLines(t *testing.T) (text string, all []sample.Question) {
	t.Helper()
	all, err := sample.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, q := range all {
		fmt.Fprintf(&b, "{\"id\":%q,\"question\":%q}\n", q.ID, q.Question)
	}
	return b.String(), all
}

// WriteFile writes text to path.
func WriteFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
