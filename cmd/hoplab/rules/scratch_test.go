//go:build scratch

package rules_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/rules"
)

// TestRules runs the command over two questions: a rule that every question needs
// changes both answers, and the sum of two numbers is none without arithmetic.
func TestRules(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"docs/zorblat.md": "# Zorblat\n\nZorblat is a card game that Mina Quist invented in 1987.\n",
		"questions.jsonl": `{"id":"1","question":"Who invented Zorblat?","answers":["Mina Quist"]}` + "\n" + `{"id":"2","question":"What is 17 times 3?","answers":["51"]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/hoplab", "rules", "--json", dir)
	cmd.Dir = filepath.Join("..", "..", "..")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	changed := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	for lines.Scan() {
		var r rules.Result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range r.Effects {
			n += e.Changed
		}
		changed[r.Name] = n
	}
	for rule, want := range map[string]int{"calculate.Answer": 1, "builtin.engine.Answer": 1, "builtin.stateCountry": 0} {
		if n, ok := changed[rule]; !ok || n != want {
			t.Errorf("without %s %d answers change (%v), want %d", rule, n, ok, want)
		}
	}
}
