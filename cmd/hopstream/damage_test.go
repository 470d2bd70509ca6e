package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
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
	ask := func(args ...string) outcome {
		return hopstream(t, "", append([]string{"ask", "--data", data, "Where is Arlen7?"}, args...)...).exits(0)
	}
	hopstream(t, "", "index", "--data", data, docs).exits(0)
	first := ask().prints("Norland7")
	if first.err != "" {
		t.Errorf("it said: %s", first.err)
	}
	path := filepath.Join(data, "links", "links.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:3*4096], 0o644); err != nil {
		t.Fatal(err)
	}
	ask().prints("Norland7").says("the index of links is built anew", "damaged")
	if again := ask().prints("Norland7"); again.err != "" {
		t.Errorf("it said: %s", again.err)
	}
	config := tempFile(t, "c.yaml", "index: {chunk_size: 900}")
	ask("--config", config).prints("Norland7").says("built anew", "other settings")
}
