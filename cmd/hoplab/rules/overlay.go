package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packages are the folders of the engine, in the source.
var packages = []string{"index/lang", "stages/engine/builtin", "stages/engine/builtin/calculate", "stages/engine/builtin/classify", "stages/engine/builtin/plan", "stages/engine/builtin/read"}

// switchSource is the package of the switches: %d is how many there are.
const switchSource = `package ` + switchPackage + `

import "sync/atomic"

var off atomic.Int64

var came [%d]atomic.Bool

// Off notes that a question came by a switch, and reports whether it is off. The
// first is 1: none is off to begin with.
func Off(n int) bool {
	if c := &came[n]; !c.Load() {
		c.Store(true)
	}
	return off.Load() == int64(n)+1
}

// List returns a list, or an empty one if its switch is off.
func List[T any](n int, list T) (empty T) {
	if Off(n) {
		return empty
	}
	return list
}

// Turn switches n off, and what was off before on; -1 is none.
func Turn(n int) { off.Store(int64(n) + 1) }

// Came returns the switches that were come by since the last call.
func Came() (out []int) {
	for n := range came {
		if came[n].Swap(false) {
			out = append(out, n)
		}
	}
	return out
}
`

// hookSource takes the place of hook.go.
const hookSource = `package rules

import %q

// engineSwitches are those of the engine.
func engineSwitches() switches { return switches{turn: ` + switchPackage + `.Turn, came: ` + switchPackage + `.Came} }
`

// build builds hoplab from the source in root, with switches, as the file out. It
// returns what they switch.
func build(ctx context.Context, root, dir, out string) ([]Rule, error) {
	module, err := moduleOf(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var rules []Rule
	for _, p := range packages {
		var edited map[string][]byte
		if edited, rules, err = instrument(filepath.Join(root, p), module, rules); err != nil {
			return nil, err
		}
		for path, text := range edited {
			files[path] = text
		}
	}
	files[filepath.Join(root, switchPackage, "switch.go")] = fmt.Appendf(nil, switchSource, len(rules))
	files[filepath.Join(root, "cmd/hoplab/rules/hook.go")] = fmt.Appendf(nil, hookSource, module+"/"+switchPackage)
	overlay, err := writeOverlay(dir, files)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", out, "./cmd/hoplab")
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building hoplab with switches: %w\n%s", err, text)
	}
	return rules, nil
}

// writeOverlay writes files and their places in the form that go build -overlay
// takes, and returns the path of that.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		at := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(at, text, 0o600); err != nil {
			return "", err
		}
		replace[path] = at
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o600)
}

// moduleOf returns the path of the module whose source is in root.
func moduleOf(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("--source: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s names no module", filepath.Join(root, "go.mod"))
}
