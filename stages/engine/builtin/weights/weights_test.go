package weights_test

import (
	"os"
	"testing"

	"hopstream/stages/engine/builtin/weights"
)

// maxSize bounds the files of all weights, in bytes.
const maxSize = 5 << 20

// TestShipped reads the weights that the program is built with, and writes them
// as they are.
func TestShipped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := weights.Shipped().Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := weights.Read(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := weights.Read(t.TempDir()); err == nil {
		t.Error("an empty folder has weights")
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() != "weights.go" && f.Name() != "weights_test.go" {
			size += info.Size()
		}
	}
	if size == 0 || size > maxSize {
		t.Errorf("the weights are %d bytes, at most %d are allowed", size, maxSize)
	}
}
