package prompts_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImports holds that the package needs the standard library only.
func TestImports(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range file.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			own := strings.HasSuffix(name, "_test.go") && path == "hopstream/prompts"
			if first, _, _ := strings.Cut(path, "/"); !own && (strings.Contains(first, ".") || first == "hopstream") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
