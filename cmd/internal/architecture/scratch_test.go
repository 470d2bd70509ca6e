//go:build scratch

package architecture

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// edit changes a file of the tree in an overlay: what from is becomes to. An
// empty from makes a new file.
type edit struct{ file, from, to string }

// overlay writes the tree with the edits as a file for the go command's
// -overlay flag, and returns its name. No file of the tree is touched.
func overlay(t *testing.T, edits []edit) string {
	t.Helper()
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	replace, text := map[string]string{}, map[string]string{}
	for i, e := range edits {
		path := filepath.Join(dir, e.file)
		src, seen := text[path]
		if !seen && e.from != "" {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src = string(b)
		}
		if strings.Count(src, e.from) != 1 && e.from != "" {
			t.Fatalf("edit %d: %q is not once in %s", i+1, e.from, e.file)
		}
		if e.from == "" {
			src = e.to
		} else {
			src = strings.Replace(src, e.from, e.to, 1)
		}
		text[path] = src
	}
	scratch := t.TempDir()
	for path, src := range text {
		copied := filepath.Join(scratch, strings.ReplaceAll(strings.TrimPrefix(path, dir), string(filepath.Separator), "_"))
		if err := os.WriteFile(copied, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[path] = copied
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// gotool runs the go command at the root of the module.
func gotool(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestNewStage adds a stage that passes its messages on, between the aligner
// and the generator, by four files, and runs the pipeline with it.
func TestNewStage(t *testing.T) {
	edits := []edit{
		{"stages/echo/echo.go", "", `// Package echo passes messages on.
package echo

import (
	"context"

	"hopstream/messages"
)

// Handle passes on what it is given.
func Handle(_ context.Context, in *messages.Echo) ([]messages.Message, error) {
	return []messages.Message{&in.Generate}, nil
}
`},
		{"messages/inner.go", "\t{kind: KindGenerate,", "\t{kind: KindEcho, empty: empty[Echo], key: \"<id>.<round>.<branch>\", inner: true},\n\t{kind: KindGenerate,"},
		{"messages/inner.go", "// KindGenerate is the kind of a Generate.", `// KindEcho is the kind of an Echo.
const KindEcho Kind = "echo"

// Echo is a Generate on its way.
type Echo struct{ Generate }

// Kind returns KindEcho.
func (*Echo) Kind() Kind { return KindEcho }

// KindGenerate is the kind of a Generate.`},
		{"stages/pipeline.go", "\t\tOff:     func(s *Settings) bool { return s.Aligner.Off },\n\t\tOutputs: []Output{{Kind: messages.KindGenerate, At: Same}},\n\t}, {", `		Off:     func(s *Settings) bool { return s.Aligner.Off },
		Outputs: []Output{{Kind: messages.KindEcho, At: Same}},
	}, {
		Name: "echo", Input: messages.KindEcho,
		New:     func(*Parts) Logic { return Of(echo.Handle) },
		Outputs: []Output{{Kind: messages.KindGenerate, At: Same}},
	}, {`},
		{"stages/pipeline.go", "\t\"hopstream/stages/decomposer\"\n", "\t\"hopstream/stages/decomposer\"\n\t\"hopstream/stages/echo\"\n"},
		{"stages/aligner/aligner.go", "\treturn []messages.Message{out}, nil", "\treturn []messages.Message{&messages.Echo{Generate: *out}}, nil"},
	}
	touched := map[string]bool{}
	for _, e := range edits {
		touched[e.file] = true
	}
	if len(touched) > 4 {
		t.Errorf("a new stage touches %d files", len(touched))
	}
	with := "-overlay=" + overlay(t, edits)
	gotool(t, "build", with, "./...")
	out := gotool(t, "test", with, "-vet=off", "-count=1", "-v", "-run", "TestTable|TestSkippableStages|TestFourClasses|TestCrashAfterStoring", "./stages", "./stages/runner")
	if n := strings.Count("\n"+out, "\n--- PASS: Test"); n != 4 {
		t.Errorf("%d tests ran\n%s", n, out)
	}
}
