package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/ollama/ollama/api"
)

func turns(system, user string) []api.Message {
	return []api.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}
}

// TestPrefixShare holds that of a prompt that part counts as known which one of
// the latest began with, and that older ones are forgotten.
func TestPrefixShare(t *testing.T) {
	t.Parallel()
	var p prefixes
	whole := len("system\x00rules\x00user\x00abcd\x00")
	for _, c := range []struct {
		system, user string
		known        int // bytes
	}{
		{"rules", "abcd", 0},
		{"rules", "abxy", whole - len("cd\x00")},
		{"rules", "abcd", whole},
		{"other", "abcd", len("system\x00")},
	} {
		if got := p.share(turns(c.system, c.user)); math.Abs(got-float64(c.known)/float64(whole)) > 1e-9 {
			t.Errorf("%s, %s: %v known, want %d of %d", c.system, c.user, got, c.known, whole)
		}
	}
	for i := range remembered {
		p.share(turns(fmt.Sprint(i), ""))
	}
	if got := p.share(turns("rules", "abcd")); got > 0.5 {
		t.Errorf("what is long ago is known: %v", got)
	}
}

// TestPrefixIsCounted holds that the figures tell how much of prompts was known,
// and that a reset forgets it.
func TestPrefixIsCounted(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: Latency{Mean: -1}})
	for range 2 {
		if _, _, err := chat(t.Context(), c, direct(false)); err != nil {
			t.Fatal(err)
		}
	}
	if st := s.Stats(); st.PrefixTokens*2 != st.PromptTokens || st.PrefixShare != 0.5 {
		t.Errorf("%+v", st)
	}
	s.Reset()
	if _, _, err := chat(t.Context(), c, direct(false)); err != nil {
		t.Fatal(err)
	}
	if st := s.Stats(); st.PrefixTokens != 0 || st.PromptTokens == 0 {
		t.Errorf("%+v", st)
	}
}
