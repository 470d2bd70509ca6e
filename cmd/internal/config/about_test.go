package config

import (
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/internal/spelling"
)

// TestEveryKeyIsExplained holds that every key says what it means, once, and
// that every explained key is one of the defaults.
func TestEveryKeyIsExplained(t *testing.T) {
	t.Parallel()
	d := Default()
	d.FillIn()
	defaults, err := loaded(d)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, key := range defaults.Keys() {
		for ; key != ""; key = key[:max(0, strings.LastIndexByte(key, '.'))] {
			there[general(key)] = true
		}
	}
	seen := map[string]bool{}
	for _, s := range settings() {
		if !strings.HasSuffix(s.about, ".") {
			t.Errorf("%s: %q is no sentence: say in its tag what it means, and its unit", s.key, s.about)
		}
		if seen[s.key] || !there[s.key] {
			t.Errorf("%s is there twice, or is not among the defaults", s.key)
		}
		seen[s.key] = true
	}
	for key := range there {
		if !seen[key] && !strings.HasSuffix(key, ".*") && key != "models.default" && !slices.Contains([]string{"models", "stages"}, strings.Split(key, ".")[0]) {
			t.Errorf("nothing says what %s means", key)
		}
	}
}

func TestYAMLExplains(t *testing.T) {
	t.Parallel()
	c := Default()
	c.FillIn()
	c.Pipeline.MaxOpen = 7
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"    # Questions open at once; more are refused. Default: 10000\n    max_open: 7\n",
		"    # How long the inner messages of a question are kept.\n    retention: 1h0m0s\n",
		"# Workers, by stage.\nstages:\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no\n%s\nin\n%s", want, text)
		}
	}
	if n := strings.Count(string(text), "Tries before a message"); n != 1 {
		t.Errorf("what all stages have is explained %d times", n)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") && len(line) > noteWidth+20 {
			t.Errorf("a long line: %s", line)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"pipeline.max_opne": "pipeline.max_open", "max_open": "pipeline.max_open", "pipelin": "pipeline",
		"retriever.chunk_size": "index.chunk_size", "models.router.num_ctxt": "models.router.num_ctx",
		"stages.judge.timeot": "stages.judge.timeout", "quite.something.else": "", "x": "",
	} {
		if got := nearest(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"open", "opne", 2}} {
		if got := spelling.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
