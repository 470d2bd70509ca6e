package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestConcurrentPackagesAreRaced holds that .ci/concurrent, which says where the race
// detector looks, lists every package whose files start a goroutine or name a channel.
func TestConcurrentPackagesAreRaced(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, ".ci", "concurrent")).Output()
	if err != nil {
		t.Fatal(err)
	}
	listed, found := strings.Fields(string(out)), 0
	for pkg, dir := range folders(t) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, func(f string) bool { return concurrent(t, f) }) {
			continue
		}
		if found++; !slices.Contains(listed, pkg) {
			t.Errorf("%s has goroutines, and .ci/concurrent does not list it", pkg)
		}
	}
	if found < 20 {
		t.Errorf("only %d packages have goroutines", found)
	}
}

// concurrent reports whether a file starts a goroutine or names a channel.
func concurrent(t *testing.T, file string) (yes bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt, *ast.ChanType:
			yes = true
		}
		return !yes
	})
	return yes
}
