//go:build kill

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// previousRelease returns the tag or commit that testdata/previous-release names.
func previousRelease(t *testing.T) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "previous-release"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if line := strings.TrimSpace(in.Text()); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	t.Fatal("testdata/previous-release names no release")
	return ""
}

// buildPrevious builds the previous release from the history into dir, and returns
// its program. Where the history is not here the test is skipped: an unpacked
// archive has none, a shallow clone may lack the commit.
func buildPrevious(t *testing.T, dir string) string {
	t.Helper()
	release := previousRelease(t)
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("the previous release is built from the history, and this is no git repository")
	}
	root := strings.TrimSpace(string(top))
	if exec.Command("git", "-C", root, "cat-file", "-e", release+"^{commit}").Run() != nil {
		t.Skipf("this clone does not hold the previous release, %s: run `git fetch --unshallow --tags`", release)
	}
	source, archive := filepath.Join(dir, "previous"), filepath.Join(dir, "previous.tar")
	if err := os.Mkdir(source, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, step := range []*exec.Cmd{
		exec.Command("git", "-C", root, "archive", "-o", archive, release),
		exec.Command("tar", "-x", "-f", archive, "-C", source),
	} {
		if out, err := step.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", step, err, out)
		}
	}
	program := filepath.Join(dir, "hopstream-previous")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/hopstream")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", release, err, out)
	}
	return program
}
