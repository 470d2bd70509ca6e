// Package pipeline tells the tests of deployments which stages there are.
package pipeline

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// Stages returns the stages' names, read from the rows of the stage table in the file
// at path: this module does not import hopstream's.
func Stages(t *testing.T, path string) []string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`\bName: "([a-z]+)"`).FindAllSubmatch(src, -1) {
		names = append(names, string(m[1]))
	}
	if len(names) < 8 {
		t.Fatalf("found the rows %v only; has the stage table moved?", names)
	}
	return names
}

// Flag returns the value that follows name in a command's args, or "".
func Flag(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}
