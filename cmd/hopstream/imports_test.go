package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// TestImportDirection holds that the program carries nothing that measures,
// simulates or tests, and that what both programs use knows neither of them.
func TestImportDirection(t *testing.T) {
	t.Parallel()
	deps := func(pattern string) map[string][]string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports", pattern)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		all := map[string][]string{}
		for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p struct {
				ImportPath string
				Imports    []string
			}
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				return all
			} else if err != nil {
				t.Fatal(err)
			}
			all[p.ImportPath] = p.Imports
		}
	}
	for pkg := range deps("hopstream/cmd/hopstream") {
		if reason := notInProgram(pkg); reason != "" {
			t.Errorf("hopstream imports %s: %s", pkg, reason)
		}
	}
	for pkg, imports := range deps("hopstream/cmd/...") {
		for _, imp := range imports {
			if under(pkg, "hopstream/cmd/internal") && (under(imp, "hopstream/cmd/hopstream") || under(imp, "hopstream/cmd/hoplab")) {
				t.Errorf("%s imports %s: what both programs use knows neither of them", pkg, imp)
			}
		}
	}
	for _, pkg := range []string{"hopstream/cmd/hoplab/eval", "hopstream/cmd/hoplab/sim", "hopstream/stages/engine/scripted", "hopstream/cmd/internal/cmdtest", "testing"} {
		if notInProgram(pkg) == "" { // the rule bites
			t.Errorf("hopstream may import %s", pkg)
		}
	}
}

// notInProgram says why a package does not belong into the program, or nothing.
func notInProgram(pkg string) string {
	switch {
	case under(pkg, "hopstream/cmd/hoplab"):
		return "measuring and simulating are hoplab's"
	case under(pkg, "hopstream/stages/engine/scripted"):
		return "no fake engine answers questions"
	case pkg == "testing", under(pkg, "hopstream/cmd/internal/cmdtest"):
		return "it is for tests"
	}
	return ""
}

func under(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }
