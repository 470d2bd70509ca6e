package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hopstream/cmd/internal/telemetry"
	"hopstream/messages"
)

// TestVersion holds that the program says what it was built from, in both forms.
func TestVersion(t *testing.T) {
	t.Parallel()
	var b telemetry.BuildInfo
	o := hopstream(t, "", "version", "--json").Exits(0)
	if err := json.Unmarshal([]byte(o.Out), &b); err != nil || b.Program != "hopstream" || b.Version == "" || b.Wire != messages.Version || b.Go != runtime.Version() {
		t.Errorf("%v in %s", err, o.Out)
	}
	for _, args := range []string{"version", "--version"} {
		if o := hopstream(t, "", args).Exits(0); o.Out != b.String()+"\n" {
			t.Errorf("%s prints %q, want %q", args, o.Out, b)
		}
	}
}

// TestVersionOfAnImage builds the program as the Containerfile does, and reads what
// the linker was told.
func TestVersionOfAnImage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds hopstream")
	}
	bin := filepath.Join(t.TempDir(), "hopstream")
	const in = "hopstream/cmd/internal/telemetry."
	flags := "-X " + in + "version=v1.2.3 -X " + in + "revision=abc -X " + in + "built=2026-01-02T03:04:05Z"
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags", flags, "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), bin, "version", "--json", "--data", t.TempDir()).Output()
	if err != nil {
		t.Fatal(err)
	}
	var b telemetry.BuildInfo
	if err := json.Unmarshal(out, &b); err != nil || b.Version != "v1.2.3" || b.Revision != "abc" || b.Time != "2026-01-02T03:04:05Z" {
		t.Errorf("%v, %+v", err, b)
	}
	if out, err = exec.CommandContext(t.Context(), bin, "--version").Output(); err != nil || !strings.HasPrefix(string(out), "hopstream v1.2.3 ") {
		t.Errorf("%v: %s", err, out)
	}
}
