package kubernetes

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// commands returns the README's commands from nothing to a cluster, in order.
func commands(t *testing.T) (lines []string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "From nothing to a secured, scaled and observed cluster")
	m := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(after)
	if m == nil {
		t.Fatal("README.md has no commands for Kubernetes")
	}
	for line := range strings.Lines(m[1]) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// Twenty commands at most; what they name exists.
func TestREADMETakesTwentyCommands(t *testing.T) {
	t.Parallel()
	lines := commands(t)
	if len(lines) > 20 || len(lines) < 10 {
		t.Errorf("%d commands", len(lines))
	}
	applied := 0
	for _, line := range lines {
		for _, path := range regexp.MustCompile(`\b(?:deploy|index)/[\w./-]+`).FindAllString(line, -1) {
			if _, err := os.Stat("../../" + path); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
		if strings.Contains(line, "apply") && strings.Contains(line, " -k ") {
			applied++
		}
	}
	if applied != 2 {
		t.Errorf("%d kustomizations are applied", applied)
	}
	pins, err := os.ReadFile("images/kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(pins), "newName: hopstream, newTag: local") {
		t.Error("the README's command that names the image finds nothing to replace")
	}
	// The groups of users are the workloads'.
	for name, w := range variants(t)["production"].workers() {
		if list := strings.Join(stagesOf(w), ","); strings.Contains(list, ",") && !strings.Contains(strings.Join(lines, "\n"), "--group "+name+"="+list+" ") {
			t.Errorf("the README makes no user for %s=%s", name, list)
		}
	}
}
