package papers

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/config"
)

var update = flag.Bool("update", false, "rewrite measured/papers.md")

// preset is a paper's preset, with nothing set by a user but who embeds.
func preset(t *testing.T, name string) config.Config {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	cfg, err := config.LoadWith(flags, name, map[string]any{"engines.embedder": config.EngineBuiltin})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestPresetsHoldTheRules compares the presets with the rules' settings.
func TestPresetsHoldTheRules(t *testing.T) {
	t.Parallel()
	for _, p := range All() {
		c := preset(t, p.Name)
		if err := p.Check(&c); err != nil {
			t.Error(err)
		}
	}
}

// TestCheckSeesWhatDiffers fails a preset whose setting is another, or gone.
func TestCheckSeesWhatDiffers(t *testing.T) {
	t.Parallel()
	p, _ := Lookup("hanrag")
	c := preset(t, "hanrag")
	c.Filter.Keep = 4
	if err := p.Check(&c); err == nil || !strings.Contains(err.Error(), "filter.keep 3, and it is 4") {
		t.Error(err)
	}
	p.Rules = []Rule{{What: "x", Settings: []Setting{{"filter.kept", 3}}}}
	if err := p.Check(&c); err == nil || !strings.Contains(err.Error(), "no setting filter.kept") {
		t.Error(err)
	}
}

// TestEveryRuleIsExplained holds that a rule says where it stands and what we do,
// and that it is tested, or says why we differ.
func TestEveryRuleIsExplained(t *testing.T) {
	t.Parallel()
	there := testNames(t)
	for _, p := range All() {
		for _, r := range p.Rules {
			if r.What == "" || r.Where == "" || r.Ours == "" || len(r.Tests) == 0 && r.Choice == "" {
				t.Errorf("%s: not explained: %+v", p.Name, r)
			}
			for _, name := range r.Tests {
				if !there[name] {
					t.Errorf("%s: %q is said to be held by %s, and there is no such test", p.Name, r.What, name)
				}
			}
		}
	}
}

// testNames are the tests of the whole project.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	root := filepath.Join("..", "..", "..")
	test := regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root && d.Name() != ".." {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range test.FindAllSubmatch(text, -1) {
			out[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFidelityFile compares the table in the documentation with the rules.
func TestFidelityFile(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString("# The papers' rules and ours\n\n    hoplab papers --markdown\n\nEach rule has the tests that fail if it does not hold, or says why we differ.\n\n")
	if err := WriteFidelity(&b, All(), true); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "measured", "papers.md")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || b.String() != string(want) {
		t.Errorf("%s is not what hoplab papers --markdown prints (%v): run go test ./cmd/hoplab/papers -update", file, err)
	}
}

// TestFiguresAreMetrics holds that published figures name metrics that are
// measured, and rows have names of their own.
func TestFiguresAreMetrics(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, m := range report.Metrics() {
		known[m.Key] = true
	}
	for _, p := range All() {
		seen := map[string]bool{}
		for _, r := range p.Rows {
			if seen[r.Name] || len(r.Figures) == 0 {
				t.Errorf("%s: row %s", p.Name, r.Name)
			}
			seen[r.Name] = true
			for _, f := range r.Figures {
				if !known[f.Metric] || f.Value < 0 || f.Data == "" {
					t.Errorf("%s, %s: %+v", p.Name, r.Name, f)
				}
			}
		}
	}
}

// TestRowsChangeSomething holds that no row but the paper's own measures the
// preset unchanged, and none changes another's configuration.
func TestRowsChangeSomething(t *testing.T) {
	t.Parallel()
	for _, p := range All() {
		for i, r := range p.Rows {
			a, b := preset(t, p.Name), preset(t, p.Name)
			if r.Change != nil {
				r.Change(&a)
			}
			if same := text(t, &a) == text(t, &b); same != (i == 0) {
				t.Errorf("%s: row %q leaves the preset as it is: %v", p.Name, r.Name, same)
			}
		}
	}
}

func text(t *testing.T, c *config.Config) string {
	t.Helper()
	var b strings.Builder
	for _, key := range []string{"router", "strategy", "decomposer", "retriever", "filter", "aligner", "generator", "judge", "pipeline"} {
		v, err := c.Value(key)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(key)
		b.WriteString(written(v))
	}
	return b.String()
}

// TestBeside puts ours beside the published figures.
func TestBeside(t *testing.T) {
	t.Parallel()
	p, _ := Lookup("mga-rag")
	m := Measured{Paper: &p, Missing: []string{"hotpotqa"}, Runs: []report.Run{
		{Data: "musique", Preset: "without reviser", Engine: "ollama x", Total: &report.Figures{Means: map[string]report.Mean{"f1": {Value: 12.5, N: 7}}}},
	}}
	got := m.Compare()
	if len(got) != 2 || got[0] != (Compared{"without reviser", "musique", "f1", "F1", 36.17, 12.5, 7}) || got[1].Questions != 0 {
		t.Errorf("%+v", got)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"36.17  12.50", "39.17      –", "Not given, so not measured: hotpotqa", "engine ollama x", "Qwen2.5-7B"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("does not say %q:\n%s", want, b.String())
		}
	}
}
