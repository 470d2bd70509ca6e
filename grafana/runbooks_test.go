package grafana

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// blocks returns the lines of a runbook's commands.
func blocks(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, strings.Split(strings.TrimSpace(m[1]), "\n")...)
	}
	return out
}

// TestRunbooks holds that every alert names its runbook, that every runbook is an
// alert's, and that each says what to look at and how to mend it, with commands.
func TestRunbooks(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	unnamed := files
	for _, r := range rules(t) {
		if r.Alert == "" {
			continue
		}
		file := "runbooks/" + r.Alert + ".md"
		if got := r.Annotations["runbook_url"]; got != "grafana/"+file {
			t.Errorf("%s names the runbook %q", r.Alert, got)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		means, rest, _ := strings.Cut(string(text), "\n## Look\n")
		look, mend, _ := strings.Cut(rest, "\n## Mend\n")
		if !strings.HasPrefix(means, "# "+r.Alert+"\n\n") || len(means) < len(r.Alert)+40 || len(blocks(look)) == 0 || len(blocks(mend)) == 0 {
			t.Errorf("%s does not say what the alert means, or has no commands under Look or Mend", file)
		}
		unnamed = slices.DeleteFunc(slices.Clone(unnamed), func(f string) bool { return f == file })
	}
	if len(unnamed) > 0 {
		t.Errorf("no alert names %v", unnamed)
	}
}

// TestRunbooksCommands holds that the hopstream commands and flags that runbooks
// name are there.
func TestRunbooksCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds hopstream")
	}
	t.Parallel()
	bin := filepath.Join(build(t, "hopstream/cmd/hopstream"), "hopstream")
	files, err := filepath.Glob("runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	flag := regexp.MustCompile(`^--[a-z-]+`)
	helps := map[string]string{}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range blocks(string(text)) {
			words := strings.Fields(line)
			if words[0] != "hopstream" {
				continue
			}
			n++
			command := words[1:2]
			if words[1] == "dead" || words[1] == "docs" || words[1] == "tenants" {
				command = words[1:3]
			}
			name := strings.Join(command, " ")
			if helps[name] == "" {
				out, err := exec.CommandContext(t.Context(), bin, append(slices.Clone(command), "--help")...).CombinedOutput()
				if err != nil || !strings.Contains(string(out), "hopstream "+name) {
					t.Errorf("%s: hopstream %s --help: %v\n%s", file, name, err, out)
				}
				helps[name] = string(out)
			}
			for _, w := range words {
				if f := flag.FindString(w); f != "" && !strings.Contains(helps[name], f+" ") {
					t.Errorf("%s: hopstream %s has no %s", file, name, f)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("%d commands in the runbooks: are they read?", n)
	}
}
