package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// TestDamagedIndex: an index that is damaged on disk is built anew from the
// documents, with a word, and questions are answered as before; so is one of
// other settings.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	data, docs := t.TempDir(), t.TempDir()
	for i := range 40 {
		text := fmt.Sprintf("Arlen%d is a small town in Norland%d.", i, i)
		if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("t%d.txt", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"ask", "--data", data, "Where is Arlen7?"}, args...)...).Exits(0)
	}
	hopstream(t, "", "index", "--data", data, docs).Exits(0)
	first := ask().Prints("Norland7")
	if warned(first) {
		t.Errorf("it said: %s", first.Err)
	}
	path := filepath.Join(data, "links", "links.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:3*4096], 0o644); err != nil {
		t.Fatal(err)
	}
	ask().Prints("Norland7").Says("the index of links is built anew", "damaged")
	if again := ask().Prints("Norland7"); warned(again) {
		t.Errorf("it said: %s", again.Err)
	}
	config := cmdtest.TempFile(t, "c.yaml", "index: {chunk_size: 900}")
	ask("--config", config).Prints("Norland7").Says("built anew", "other settings")
}

// warned reports whether more was said than the question's ID.
func warned(o cmdtest.Outcome) bool {
	return !strings.HasPrefix(o.Err, "question ") || strings.Count(o.Err, "\n") != 1
}
