package builtin

import (
	"os"
	"path/filepath"
	"testing"

	"hopstream/index/lang"
)

// record is a line of a question set.
type record struct {
	ID, Question, Type string
	Supporting         []string
}

// first reports whether the record is in the half that is fitted on.
func (r *record) first() bool {
	h := lang.Hash(r.ID)
	return (h^h>>29^h>>47)*0x9E3779B97F4A7C15>>63 == 0
}

func dataRoot(tb testing.TB) string {
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(root, "musique", "questions.jsonl")); err != nil {
		tb.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", root)
	}
	return root
}
