package architecture

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileName finds names of Go files, each with the path before it, if any.
var fileName = regexp.MustCompile(`[\w.*/-]*\.go\b`)

// TestPackageMaps holds that every package has a package comment, and that the
// files which it names are there: a map that is not kept up misleads.
func TestPackageMaps(t *testing.T) {
	t.Parallel()
	for pkg, dir := range folders(t) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		doc := packageComment(t, files)
		if strings.TrimSpace(doc) == "" {
			t.Errorf("%s has no package comment", pkg)
		}
		for i, f := range files {
			files[i] = filepath.Base(f)
		}
		for _, name := range missing(doc, files) {
			t.Errorf("the comment of %s names %s, which it does not have", pkg, name)
		}
	}
}

// folders returns the folder of every package of the module, by import path;
// those that hold nothing but tests included.
func folders(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, file := range goFiles(t) {
		dir := filepath.Dir(file)
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		out[path.Join("hopstream", filepath.ToSlash(rel))] = dir
	}
	return out
}

// packageComment returns the package comments of the files, one after the
// other.
func packageComment(t *testing.T, files []string) string {
	t.Helper()
	var doc strings.Builder
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		doc.WriteString(parsed.Doc.Text())
	}
	return doc.String()
}

// missing returns the files that a package comment names and files does not
// hold. A name with a slash is another folder's, and not looked for.
func missing(doc string, files []string) (gone []string) {
	for _, name := range fileName.FindAllString(doc, -1) {
		if strings.Contains(name, "/") {
			continue
		}
		there := slices.ContainsFunc(files, func(file string) bool {
			matched, err := path.Match(name, file)
			return err == nil && matched
		})
		if !there {
			gone = append(gone, name)
		}
	}
	return gone
}

// TestMissing makes sure that the rule bites.
func TestMissing(t *testing.T) {
	t.Parallel()
	files := []string{"doc.go", "weights.go", "cpu_unix.go", "maps_test.go"}
	for doc, want := range map[string][]string{
		"doc.go, weights.go … and maps_test.go": nil,
		"cpu_*.go  processor time":              nil,
		"gone.go   nothing":                     {"gone.go"},
		"see weight.go, gpu_*.go.":              {"weight.go", "gpu_*.go"},
		"runner/gone.go is of another package":  nil,
		"go.mod and gopher are no Go files":     nil,
	} {
		if got := missing(doc, files); !slices.Equal(got, want) {
			t.Errorf("%q names %v, which is missing; want %v", doc, got, want)
		}
	}
}
